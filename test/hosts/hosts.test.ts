import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, browserWith, createPeople, isServed, refreshes, secretsOf } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { startReceiver, webhookSecret } from "../support/receiver.ts";
import { openRows } from "../support/rows.ts";
import { raiseCluster, whyNoHosts, type Cluster } from "./cluster.ts";
import { gatherCrowd } from "./crowd.ts";
import { hostNames } from "./network.ts";
import { longestGap, probe, summary } from "./probe.ts";

// Two hosts, in front of them a proxy and behind them Postgres with a standby, and Redis. The tests go on from one another.
const lack = whyNoHosts();
const title = lack === undefined ? "two hosts" : `two hosts (needs ${lack})`;
const limitMs = 180_000;
const graceMs = 10_000;
const attempts = 8;
/** However silent a dependency is, a request has its answer by then; what a slow machine adds is in it. */
const answerLimitMs = 15_000;
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
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
      AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "false",
      CACHE_DRIVER: "database",
      EVENTS_DRIVER: "inproc",
      QUEUE_LEASE: "2s",
      QUEUE_MAX_ATTEMPTS: "50",
      WEBHOOK_LEDGER_URL: receiver.url,
      WEBHOOK_LEDGER_SECRET: secret,
      WEBHOOK_LEDGER_TOPICS: "auth.registered",
    };
  });
  [one, two] = [cluster.hosts.one.http.url, cluster.hosts.two.http.url];
}, limitMs);
afterAll(async () => {
  await cluster?.stop();
  await receiver?.stop();
}, limitMs);

const at = (url: string, browser: Client): Client => browserWith(url, secretsOf(browser));
const logIn = (url: string, name: string, password = "not the password") =>
  createClient(url).post(auth("login"), { login: name, password });
const report = (text: string): void => void process.stdout.write(`      ${text}\n`);

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "D-70 what one host ends, rotates, locks or counts holds at the other with the next request",
    async () => {
      const people = createPeople(one);
      const [ada, grace, lin] = [
        await people.register("ada"),
        await people.register("grace"),
        await people.register("lin"),
      ];
      const elsewhere = at(two, ada.client);
      expect(await isServed(elsewhere)).toBe(true);
      expect((await ada.client.post(auth("logout"))).status).toBe(200);
      expect(await isServed(elsewhere)).toBe(false);

      // A secret that was just swapped still serves for its grace, and is not swapped twice.
      const before = secretsOf(grace.client);
      expect(await refreshes(grace.client)).toBe(true);
      expect(await isServed(browserWith(two, { refresh: before.refresh }))).toBe(true);
      expect(await refreshes(browserWith(two, before))).toBe(false);
      expect(await isServed(at(two, grace.client))).toBe(true);
      using rows = openRows(cluster.data.url());
      rows.letPass(graceMs + 1_000);
      expect(await isServed(browserWith(two, { refresh: before.refresh }))).toBe(false);

      for (const url of [one, two, one, two, one]) await logIn(url, lin.email);
      expect((await logIn(two, lin.email, lin.password)).status).toBe(423);
      const guesses = Array.from({ length: 20 }, (_, index) => logIn(index % 2 === 0 ? one : two, "nobody@example.test"));
      expect((await Promise.all(guesses)).filter(({ status }) => status !== 429)).toHaveLength(attempts);
    },
    limitMs,
  );

  test(
    "D-71 a job of one host is done by the other, once, and its mail and webhook come once",
    async () => {
      await cluster.hosts.one.worker.stop();
      const ada = await createPeople(one).register("ada.queues");
      await receiver.until("the webhook", () => receiver.received().some(({ data }) => data["user_id"] === ada.id));
      await cluster.mailbox.next(ada.email);
      await cluster.begin("one", "worker");
      using rows = openRows(cluster.data.url());
      await eventually("an empty queue", () => rows.count("jobs") === 0);
      expect(receiver.received().filter(({ data }) => data["user_id"] === ada.id)).toHaveLength(1);
      expect(cluster.mailbox.all().filter(({ recipients }) => recipients.includes(ada.email))).toHaveLength(1);
    },
    limitMs,
  );

  test(
    "D-72 of two schedulers one takes a run",
    async () => {
      using rows = openRows(cluster.data.url());
      const runs = (): number => rows.count("schedule_history where name = 'audit:prune' and requested_by is null");
      await eventually("schedules to be known", () => rows.count("schedules where name = 'audit:prune'") === 1);
      const before = runs();
      rows.run("update schedules set requested_at = 1 where name = 'audit:prune'");
      await eventually("the run", () => runs() > before);
      await eventually("both to have looked", () => rows.count("schedules where requested_at is not null") === 0);
      expect(runs()).toBe(before + 1);
    },
    limitMs,
  );
});
