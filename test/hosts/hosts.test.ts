import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTraffic } from "../release/traffic.ts";
import { auth, browserWith, createPeople, isServed, refreshes, secretsOf } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { startReceiver, webhookSecret } from "../support/receiver.ts";
import { openRows } from "../support/rows.ts";
import { raiseCluster, whyNoHosts, type Cluster } from "./cluster.ts";
import { gatherCrowd } from "./crowd.ts";
import { hostNames, type HostName } from "./network.ts";
import { torment } from "./torment.ts";
import { askedMeanwhile, type Answered } from "./probe.ts";

// Two hosts, with a proxy in front of them and behind them Postgres with a standby, and Redis. The tests build on one another.
const lack = whyNoHosts();
const title = lack === undefined ? "two hosts" : `two hosts (needs ${lack})`;
const chaosSeconds = Number(process.env["GATEHOUSE_HOSTS_SECONDS"] ?? 8);
if (!(chaosSeconds >= 1 && chaosSeconds <= 3_600))
  throw new Error("GATEHOUSE_HOSTS_SECONDS must be between 1 and 3600");
const limitMs = 180_000 + chaosSeconds * 1_000;
const graceMs = 10_000;
const attempts = 8;
const lives = 6;
const requestsPerSecond = 150;
const browsers = 12;
const cutOffMs = 3_000;
/** How long an instance waits for locks that others hold. */
const patienceMs = 5_000;
const concurrency = 4;
/** Limits for people who sign in all the time. */
const patient = { AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000", AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100" };
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
      AUTH_PASSWORD_HASH_QUEUE: "1000",
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
      AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "false",
      QUEUE_LEASE: "2s",
      QUEUE_CONCURRENCY: String(concurrency),
      QUEUE_MAX_ATTEMPTS: "50",
      WEBHOOK_LEDGER_URL: receiver.url,
      WEBHOOK_LEDGER_SECRET: secret,
      WEBHOOK_LEDGER_TOPICS: "auth.registered",
      WEBHOOK_LEDGER_ALLOW_PRIVATE: "true",
    };
  });
  [one, two] = [cluster.urlOf("one"), cluster.urlOf("two")];
}, limitMs);
afterAll(async () => {
  await cluster?.stop();
  await receiver?.stop();
}, limitMs);

const at = (url: string, browser: Client): Client => browserWith(url, secretsOf(browser));
const logIn = (url: string, name: string, password = "not the password") =>
  createClient(url).post(auth("login"), { login: name, password });

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
      const guesses = Array.from({ length: 20 }, (_, index) =>
        logIn(index % 2 === 0 ? one : two, "nobody@example.test"),
      );
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
      // A run that held something back comes once more by itself, and is nobody's wish.
      const runs = (): number =>
        rows.count("schedule_history where name = 'audit:prune' and requested_by = 'somebody'");
      await eventually("schedules to be known", () => rows.count("schedules where name = 'audit:prune'") === 1);
      const before = runs();
      rows.run("update schedules set requested_at = 1, requested_by = 'somebody' where name = 'audit:prune'");
      await eventually("the run", () => runs() > before);
      await eventually("both to have looked", () => rows.count("schedules where requested_at is not null") === 0);
      expect(runs()).toBe(before + 1);
    },
    limitMs,
  );

  test(
    "D-73 maintenance that one host is told of closes the other, with its state in Redis or in the database",
    async () => {
      const isOpen = async (url: string): Promise<boolean> => (await createClient(url).get(auth("me"))).status === 401;
      const trial = async (): Promise<void> => {
        expect([await isOpen(one), await isOpen(two)]).toEqual([true, true]);
        expect(await cluster.command("one", "maintenance:enable")).toMatchObject({ code: 0 });
        await eventually("the other to close", async () => !(await isOpen(two)));
        expect(await cluster.isReady(cluster.url)).toBe(true);
        expect(await cluster.command("two", "maintenance:disable")).toMatchObject({ code: 0 });
        await eventually("the first to open", () => isOpen(one));
      };
      await trial();
      const inDatabase = { ...patient, CACHE_DRIVER: "database" };
      const restart = async (host: HostName): Promise<void> => {
        await cluster.hosts[host].http.stop();
        await cluster.begin(host, "http", inDatabase);
        await cluster.untilServing(host);
      };
      await Promise.all(hostNames.map(restart));
      await trial();
    },
    limitMs,
  );

  test(
    "D-78 a rolling release over both hosts loses no request",
    async () => {
      const traffic = startTraffic(cluster.proxy.port, {
        host: cluster.proxy.host,
        perSecond: requestsPerSecond,
        browsers,
      });
      try {
        await traffic.begun();
        for (const host of hostNames) {
          for (const role of ["worker", "scheduler", "http"] as const) {
            expect(await cluster.hosts[host][role].stop()).toBe(0);
            await cluster.begin(host, role, patient);
          }
          await cluster.untilServing(host);
        }
        const { failed, failures, perSecond, seconds, slowestMs, registered } = await traffic.stop();
        process.stdout.write(
          `      ${Math.round(perSecond)} requests/s for ${Math.round(seconds)} s, ${failed} failed, slowest ${Math.round(slowestMs)} ms\n`,
        );
        expect({ failed, failures }).toEqual({ failed: 0, failures: {} });
        expect(registered).toBeGreaterThan(0);
      } finally {
        traffic.kill();
      }
    },
    limitMs,
  );

  describe("while people use their accounts", () => {
    let crowd: ReturnType<typeof gatherCrowd>;
    let browser: Client;
    /** How often workers may have lost their jobs in hand: cut off, Postgres restarted twice and promoted. */
    let disturbances = 3;
    beforeAll(async () => {
      browser = (await createPeople(one).register("ada.asks")).client;
      crowd = gatherCrowd(cluster, lives);
    }, limitMs);

    const isRestored = async (): Promise<boolean> => {
      const ready = await Promise.all([one, two, cluster.url].map(cluster.isReady));
      return ready.every((each) => each);
    };
    const askedWhile = (
      what: string,
      url: string,
      act: Parameters<typeof askedMeanwhile>[0]["act"],
    ): Promise<readonly Answered[]> => askedMeanwhile({ what, client: at(url, browser), act, isRestored });

    test(
      "D-74 a host that is cut off from its data without a word says so, is left by the proxy, refuses in time, and comes back by itself",
      async () => {
        let throughProxy: readonly Answered[] = [];
        await askedWhile("a host cut off, asked itself", one, async (answers) => {
          cluster.network.cutOff("one");
          await eventually("its readiness to tell", async () => !(await cluster.isReady(one)));
          await eventually("the proxy to leave it", async () => !(await cluster.proxy.passesTo("one")));
          throughProxy = await askedWhile("a host cut off, asked by way of the proxy", cluster.url, async () => {
            await Bun.sleep(cutOffMs);
            await eventually("the host to refuse a request", () => answers.some(({ status }) => status === 503));
            cluster.network.reconnect("one");
          });
        });
        // The other host serves. Locks of the lost one are free again before anybody there gives up waiting for them.
        const served = throughProxy.filter(({ status }) => status === 200);
        expect(served.length).toBeGreaterThan(throughProxy.length / 2);
        expect(Math.max(...throughProxy.map(({ ms }) => ms))).toBeLessThan(patienceMs);
      },
      limitMs,
    );

    test(
      "D-75 Redis restarts and Postgres restarts: requests wait for nothing, and all goes on by itself",
      async () => {
        await askedWhile("Redis killed and started", cluster.url, async () => {
          await cluster.data.redis.kill();
          await eventually("readiness to tell", async () => !(await cluster.isReady(cluster.url)));
          await cluster.data.redis.restart();
        });
        await askedWhile("Postgres killed and started", cluster.url, async () => {
          await cluster.data.primary.kill();
          await eventually("readiness to tell", async () => !(await cluster.isReady(cluster.url)));
          await cluster.data.primary.restart();
        });
      },
      limitMs,
    );

    test(
      "D-77 Postgres, Redis, instances and workers are killed at random, and all goes on by itself",
      async () => {
        const kills = await torment(cluster, patient, chaosSeconds);
        disturbances += kills.postgres + kills.worker;
        process.stdout.write(
          `      ${chaosSeconds} s of kills at random: ${Object.entries(kills)
            .map(([what, n]) => `${n} ${what}`)
            .join(", ")} kills in all\n`,
        );
        await eventually("all to be ready again", isRestored, 60_000);
      },
      limitMs,
    );

    test(
      "D-76 the primary of Postgres dies, its standby is promoted, and the proxy hands on to it",
      async () => {
        await askedWhile("the primary killed and the standby promoted", cluster.url, () => cluster.data.failOver());
        // The old primary comes back as it was: nobody may write to it.
        await cluster.data.primary.restart();
        await createPeople(one).register("ada.follows");
        using rows = openRows(cluster.data.url());
        expect(rows.count("users where username like 'ada.follows%'")).toBe(1);
      },
      limitMs,
    );

    test(
      "D-74 D-75 D-76 D-77 of all that was acknowledged meanwhile nothing is lost, and nothing was done twice",
      async () => {
        const { wrong, requests, copies } = await crowd.reckon();
        process.stdout.write(
          `      ${crowd.people.length} accounts, ${requests} requests, ${copies} second copies of mails\n`,
        );
        expect(wrong.join("\n")).toBe("");
        // A mail is sent at least once: one that was in hand in a disturbance may have been sent already.
        expect(copies).toBeLessThanOrEqual(disturbances * concurrency * hostNames.length);
        expect(crowd.people.length).toBeGreaterThan(lives / 2);
      },
      limitMs,
    );
  });
});
