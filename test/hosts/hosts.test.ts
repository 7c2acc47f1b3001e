import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  createPeople,
  isServed,
  refreshes,
  secretsOf,
  type Person,
} from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { openRows } from "../support/rows.ts";
import { startReceiver, webhookSecret } from "../support/receiver.ts";
import { raiseCluster, whyNoHosts, type Cluster } from "./cluster.ts";
import { gatherCrowd } from "./crowd.ts";
import { hostNames, type HostName } from "./network.ts";
import { probe } from "./probe.ts";

// Two hosts on one network, in front of them a proxy and behind them Postgres with a standby and Redis. The tests go on from one another.
const lack = whyNoHosts();
const title = lack === undefined ? "two hosts" : `two hosts (needs ${lack})`;
const limitMs = 120_000;
const grace = 10_000;
const failures = 5;
const attempts = 8;
const secret = webhookSecret();

let cluster: Cluster;
let receiver: ReturnType<typeof startReceiver>;
let one: string;
let two: string;

beforeAll(async () => {
  if (lack !== undefined) return;
  cluster = await raiseCluster(({ outside }) => {
    receiver = startReceiver({ secret, host: outside("front") });
    return {
      AUTH_IP_RATE_LIMIT_ATTEMPTS: "100000",
      AUTH_IP_LOGIN_FAILURES: "100000",
      AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: String(attempts),
      AUTH_LOGIN_LOCKOUT_ATTEMPTS: String(failures),
      WEBHOOK_LEDGER_URL: receiver.url,
      WEBHOOK_LEDGER_SECRET: secret,
      WEBHOOK_LEDGER_TOPICS: "auth.registered",
      WEBHOOK_LEDGER_ALLOW_PRIVATE: "true",
    };
  });
  [one, two] = [cluster.hosts.one.http.url, cluster.hosts.two.http.url];
}, limitMs);
afterAll(async () => {
  await cluster?.stop();
  await receiver?.stop();
}, limitMs);

const at = (url: string, browser: Client): Client => browserWith(url, secretsOf(browser));
const login = (url: string, name: string, password = "not the password") =>
  createClient(url).post(auth("login"), { login: name, password });

describe.skipIf(lack !== undefined)(title, () => {
  test("D-70 what one host ends, locks or counts, the other refuses with its next request", async () => {
    const people = createPeople(one);
    const [ada, grace_, lin] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("lin"),
    ];

    expect(await isServed(at(two, ada.client))).toBe(true);
    expect((await ada.client.post(auth("logout"))).status).toBe(200);
  });
});
