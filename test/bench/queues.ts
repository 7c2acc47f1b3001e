import { systemClock } from "../../src/core/clock.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { openQueues } from "../../src/drivers/queue/open.ts";
import { createLog } from "../../src/observe/log.ts";
import { createWorker } from "../../src/worker/index.ts";
import { redisMissing, startRedis } from "../support/redis.ts";
import { count, median, ms, times, type Part } from "./findings.ts";
import { migrate } from "./gatehouse.ts";
import { interleave, medianRatio } from "./load.ts";

const rounds = 5;
const jobsARound = 2_000;
const committers = 32;
const singleJobs = 15;
const drivers = ["database", "redis"] as const;
type Driver = (typeof drivers)[number];

/** A worker that Redis wakes beside one that asks the table once a second: how many jobs a second, and how soon. */
export const queues: Part = {
  name: "queues",
  limitSeconds: 180,
  async run({ workspace }) {
    if (redisMissing !== undefined) return { measures: [], raw: [`queues: ${redisMissing}`] };
    const path = workspace.path("queues.db");
    await migrate(workspace, path);
    const redis = await startRedis({ appendonly: true });
    const { database } = createSqliteDatabase({ path, name: "default" });
    try {
      const of = { database: subject(database, "database", redis.url), redis: subject(database, "redis", redis.url) };
      const flooded = await interleave(rounds, drivers, (driver) => of[driver].flood());
      const single = await interleave(singleJobs, drivers, (driver) => of[driver].one());
      await Promise.all(drivers.map((driver) => of[driver].close()));
      const [table, told] = drivers.map((driver) => median(flooded(driver)));
      const [polled, woken] = drivers.map((driver) => median(single(driver)));
      return {
        measures: [
          {
            measure: "jobs a second from commit to done, workers woken through Redis, of workers that poll",
            goal: "–",
            measured: times(medianRatio(flooded("redis"), flooded("database"), (perSecond) => perSecond)),
          },
        ],
        raw: [
          `${count(jobsARound)} jobs of ${committers} at once, worked off by 8: ${count(table ?? 0)}/s polled, ${count(told ?? 0)}/s woken through Redis (every write on its disk)`,
          `one job of another process, from its commit to its start: ${ms(polled ?? 0)} polled, ${ms(woken ?? 0)} woken (median of ${singleJobs})`,
        ],
      };
    } finally {
      await database.close();
      await redis.stop();
    }
  },
};

/** Makes a producer and a worker that share only the database and Redis, as two processes do. */
function subject(database: Database, driver: Driver, url: string) {
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  let ended = 0;
  let onStart: () => void = () => {};
  const handlers = new Map([
    [
      "bench:nothing",
      async () => {
        onStart();
        ended += 1;
      },
    ],
  ]);
  const open = () =>
    openQueues({
      app: "app",
      config: {
        resources: { [driver]: { driver }, default: { driver: "sync" } },
        maxAttempts: 3,
        redis: { url, namespace: "bench" },
      },
      database,
      clock: systemClock,
      log,
      handlers: () => handlers,
      queueOf: () => driver,
    });
  const [producer, consumer] = [open(), open()];
  const worker = createWorker({ sources: consumer.sources, handlers, concurrency: 8, clock: systemClock, log });
  worker.start();
  const job = { name: "bench:nothing", payload: {} };

  return {
    /** Resolves to jobs a second. */
    async flood(): Promise<number> {
      ended = 0;
      const started = performance.now();
      await Promise.all(
        Array.from({ length: committers }, async (_, client) => {
          for (let made = client; made < jobsARound; made += committers) await producer.work.commit({ jobs: [job] });
        }),
      );
      while (ended < jobsARound) await Bun.sleep(1);
      return jobsARound / ((performance.now() - started) / 1_000);
    },
    /** Resolves to the milliseconds until a job starts on an idle worker. */
    async one(): Promise<number> {
      await Bun.sleep(100 + Math.random() * 400);
      const begun = Promise.withResolvers<void>();
      onStart = begun.resolve;
      const committed = performance.now();
      await producer.work.commit({ jobs: [job] });
      await begun.promise;
      return performance.now() - committed;
    },
    async close(): Promise<void> {
      await worker.stop(1_000);
      await Promise.all([producer.close(), consumer.close()]);
    },
  };
}
