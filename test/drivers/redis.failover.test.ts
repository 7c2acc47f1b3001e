import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { unopenedDatabase } from "../../src/cli/app/unopened.database.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import type { Cache } from "../../src/drivers/cache/index.ts";
import { openCache } from "../../src/drivers/cache/open.ts";
import type { RedisServer as Settings } from "../../src/drivers/redis/index.ts";
import { eventually } from "../support/log.ts";
import { redisMissing } from "../support/redis.ts";
import { startSentinels, type SentinelsOfTest } from "../support/sentinels.ts";
import { loggedIn } from "./events.conformance.ts";
import { createEventLog } from "./events.log.ts";
import { createEventDeployment } from "./events.redis.ts";
import { sharedEventsConformance } from "./events.shared.conformance.ts";
import { openJobDatabase } from "./queue.database.ts";
import { createRedisQueues } from "./queue.redis.ts";

describe.skipIf(redisMissing !== undefined)(
  "caches, events and queues over failovers of a Redis that sentinels watch",
  () => {
    let set: SentinelsOfTest;
    beforeAll(async () => {
      set = await startSentinels();
    });
    afterAll(() => set.stop());
    const settings = (): Settings => ({ url: set.url, caFile: undefined, sentinels: set.settings });

    // The store that comes back is another server than the one that was stopped.
    sharedEventsConformance("redis by sentinels", async (log, limits) => {
      const deployment = createEventDeployment({ server: settings(), log, limits });
      let killed = set.servers[0];
      return {
        ...deployment,
        openProcess: async (app) => deployment.open(app),
        async stopStore() {
          killed = await set.primary();
          await killed?.kill();
        },
        async startStore() {
          if (killed === undefined) return;
          const next = await set.untilReplaced(killed);
          await killed.restart();
          await set.rejoin(killed, next);
        },
      };
    });

    test("D-37 a cache recovers with what had reached the replica", async () => {
      const { database, health } = unopenedDatabase("sqlite");
      const open = (): Cache =>
        openCache(
          { driver: "redis", redis: settings(), namespace: "gatehouse:testing:app" },
          { name: "default", database, health, clock: systemClock },
        );
      const [cache, other] = [open(), open()];
      await cache.set("ada", "here");
      await eventually("a copy", async () => {
        const replica = set.otherThan(await set.primary());
        return (await replica.command("GET", "gatehouse:testing:app:cache:default:entry:ada")) === "here";
      });
      await set.replace();
      for (const each of [cache, other]) {
        await eventually("a cache that takes entries", () =>
          each.checkWritable().then(
            () => true,
            () => false,
          ),
        );
        expect(await each.get("ada")).toBe("here");
      }
      expect(cache.location).toBe(other.location ?? "");
      await Promise.all([cache.close(), other.close()]);
    }, 120_000);

    test("D-37 events go on in their order over a kill and a failover that somebody asks for, and only those around it come twice or never", async () => {
      const { log } = createEventLog();
      const deployment = createEventDeployment({ server: settings(), log, limits: { waiting: 10_000 } });
      const [publisher, subscriber] = [deployment.open(), deployment.open()];
      const seen: string[] = [];
      subscriber.subscribe("auth.logged-in", ({ payload }) => void seen.push(payload.user_id), "one");
      await subscriber.settled();
      let published = 0;
      let isOver = false;
      async function publish(): Promise<void> {
        while (!isOver) {
          publisher.publish(loggedIn(String(published++)));
          await Bun.sleep(5);
        }
      }
      const publishing = publish();
      for (const fail of [() => set.replace(), () => set.failover()]) {
        const first = published;
        await eventually("some events", () => seen.at(-1) !== undefined && Number(seen.at(-1)) > first + 50);
        const begun = seen.length;
        const before = await set.primary();
        await fail();
        await eventually("another primary", async () => (await set.primary()) !== before);
        const after = published;
        await eventually("events that came later", () => Number(seen.at(-1)) > after + 400);
        const told = seen.slice(begun).map(Number);
        const firsts = [...new Set(told)];
        expect(firsts).toEqual(firsts.toSorted((one, another) => one - another));
        const [low, high] = [Math.min(...firsts), Math.max(...firsts)];
        const ofFiveSeconds = 1_000;
        expect(high - low + 1 - firsts.length).toBeLessThan(ofFiveSeconds);
        expect(told.length - firsts.length).toBeLessThan(ofFiveSeconds);
        await set.rejoin(before, await set.primary());
      }
      isOver = true;
      await publishing;
      await deployment.dispose();
    }, 240_000);

    test("D-40 jobs over failovers run once, and wake workers again", async () => {
      const fixture = await openJobDatabase();
      const queues = createRedisQueues();
      const runs: number[] = [];
      const handlers: JobHandlers = new Map([["notes:file", async ({ n }) => void runs.push(Number(n))]]);
      const { url, sentinels } = settings();
      const open = () => queues.open({ database: fixture.database, url, sentinels, handlers });
      const [producer, consumer] = [open(), open()];
      consumer.startWorker(20);
      await consumer.heard();
      let made = 0;
      let isOver = false;
      async function commit(): Promise<void> {
        while (!isOver) {
          await producer.work.commit({ jobs: [{ name: "notes:file", payload: { n: made++ } }] });
          await Bun.sleep(10);
        }
      }
      const committing = commit();
      await set.replace();
      isOver = true;
      await committing;
      await eventually("every job", () => runs.length === made);
      await consumer.heard();
      await eventually(
        "workers that can be told",
        () =>
          producer.queue.reachWorkers?.().then(
            () => true,
            () => false,
          ) ?? true,
      );
      const last = made++;
      await producer.work.commit({ jobs: [{ name: "notes:file", payload: { n: last } }] });
      await eventually("the last job", () => runs.includes(last), 10_000);
      expect(runs.toSorted((one, another) => one - another)).toEqual(Array.from({ length: made }, (_, n) => n));
      await queues.close();
      await fixture.dispose();
    }, 120_000);
  },
);
