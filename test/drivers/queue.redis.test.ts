import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createDatabaseQueue } from "../../src/drivers/queue/database.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";
import { queueConformance } from "./queue.conformance.ts";
import { filling, type JobDatabase, openJobDatabase } from "./queue.database.ts";
import { createRedisQueues } from "./queue.redis.ts";

const here = redisMissing === undefined;
const queues = createRedisQueues();
afterEach(() => queues.close());

/** Returns handlers that note which jobs they ran. */
function counting(): { readonly runs: number[]; readonly handlers: JobHandlers } {
  const runs: number[] = [];
  return { runs, handlers: new Map([["notes:file", async ({ n }) => void runs.push(Number(n))]]) };
}
const jobs = (count: number) => Array.from({ length: count }, (_, n) => ({ name: "notes:file", payload: { n } }));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const ascending = (runs: readonly number[]): number[] => runs.toSorted((a, b) => a - b);

const isEmpty = async (database: Database): Promise<boolean> =>
  (await database.get("select id from jobs where state = 'pending'")) === undefined;

describe.skipIf(!here)("the queue on Redis", () => {
  let server: RedisServer;
  let fixture: JobDatabase;
  beforeAll(async () => {
    server = await startRedis();
    fixture = await openJobDatabase();
  });
  afterEach(async () => {
    await fixture.database.run("delete from jobs");
    await server.command("FLUSHALL");
  });
  afterAll(async () => {
    await fixture.dispose();
    await server.stop();
  });
  const open = (handlers?: JobHandlers, app = "app") =>
    queues.open({ database: fixture.database, url: server.url, app, ...(handlers && { handlers }) });

  queueConformance("redis", (database, handlers) => {
    const { work, queue, source } = queues.open({ database, url: server.url });
    return {
      work,
      queue,
      drain: () =>
        eventually("no job", async () => {
          for (const { id, name, payload, attempt, acceptedAt } of await source.claim(100, 1_000)) {
            await handlers().get(name)?.(payload, { id, attempt, acceptedAt, signal: new AbortController().signal });
            await source.complete(id, attempt);
          }
          return isEmpty(database);
        }),
    };
  });

  test("a worker of another process is woken by a job, and does not wait for its poll", async () => {
    const { runs, handlers } = counting();
    open(handlers).startWorker(3_600_000);
    await eventually("a worker that listens", async () => Number(await server.command("DBSIZE")) > 0);
    const { work } = open();
    for (const [n, job] of jobs(5).entries()) {
      await work.commit({ jobs: [job] });
      await eventually(`job ${n}`, () => runs.length === n + 1);
    }
    await eventually("no row", () => isEmpty(fixture.database));
  });

  test("a job waits for its time, and a failed one rests", async () => {
    const { work, source } = open();
    await work.commit({ jobs: [{ name: "notes:file", payload: { n: 1 }, delayMs: 400 }] });
    const claimed = async () => {
      let got = await source.claim(1, 60_000);
      await eventually("a job", async () => got.length > 0 || (got = await source.claim(1, 60_000)).length > 0);
      return got;
    };
    const [first] = await claimed();
    expect(Date.now() - (first?.acceptedAt ?? 0)).toBeGreaterThanOrEqual(400);
    expect(await source.fail(first?.id ?? "", 1, "no")).toBe("retry");
    expect(await source.depth()).toEqual({ ready: 0, delayed: 1, leased: 0, dead: 0 });
    const failedAt = Date.now();
    const [second] = await claimed();
    expect(second).toMatchObject({ id: first?.id, attempt: 2 });
    // Rests vary by chance, and are at least half as long as usual.
    expect(Date.now() - failedAt).toBeGreaterThanOrEqual(900);
    expect(await source.release(first?.id ?? "", 2)).toBe(true);
    expect(await claimed()).toMatchObject([{ id: first?.id, attempt: 3 }]);
  });

  test("D-41 Redis holds ids and times, and nothing of what a job says", async () => {
    const { work } = open();
    await work.commit({
      jobs: [{ name: "mail:send-secretly", payload: { address: "ada@example.test" }, delayMs: 60_000 }],
    });
    await eventually(
      "a job in Redis",
      async () => Number(await server.command("EXISTS", "gatehouse:test:queue:app.default:delayed")) > 0,
    );
    const keys = await server.command("KEYS", "*");
    const values = await Promise.all(
      (Array.isArray(keys) ? keys : []).map((key: unknown) => server.command("DUMP", String(key))),
    );
    const [row] = await fixture.database.all<{ id: string }>("select id from jobs");
    const everything = Bun.inspect([keys, values], { depth: 9 });
    expect(everything).toContain(row?.id ?? "no id");
    expect(everything).not.toMatch(/ada|example|secretly|trace/);
  });

  test("X-46 an app is told of its own jobs alone, by whichever app they were asked for", async () => {
    const [app, admin] = [counting(), counting()];
    const { work, startWorker } = open(app.handlers);
    open(admin.handlers, "admin").startWorker(5);
    startWorker(5);
    await work.commit({ jobs: [{ name: "notes:file", payload: { n: 1 }, app: "admin" }, ...jobs(1)] });
    await eventually("both", () => isEmpty(fixture.database));
    expect([app.runs, admin.runs]).toEqual([[0], [1]]);
  });

  test("D-40 a job that nobody handed on, or that Redis has lost, runs once all the same", async () => {
    const { runs, handlers } = counting();
    const { work } = open();
    await work.commit({ jobs: jobs(20) });
    await eventually(
      "jobs in Redis",
      async () => (await server.command("LLEN", "gatehouse:test:queue:app.default:wait")) === 20,
    );
    await server.command("FLUSHALL");
    // Rows of a process that died between its commit and the hand-over look like those of jobs that Redis has lost.
    const dead = createDatabaseQueue({
      app: "app",
      database: fixture.database,
      clock: systemClock,
      name: "default",
      maxAttempts: 3,
    });
    await filling(fixture.database, dead).commit({ jobs: jobs(40).slice(20) });
    open(handlers).startWorker(5);
    open(handlers).startWorker(5);
    await eventually("no job", () => isEmpty(fixture.database));
    expect(ascending(runs)).toEqual(numbers(40));
  });

  test("D-40 a job that was handed on twice, or is done already, runs once, and holds up no other", async () => {
    const { runs, handlers } = counting();
    const { work, source } = open();
    await work.commit({ jobs: jobs(60) });
    await eventually(
      "jobs in Redis",
      async () => (await server.command("LLEN", "gatehouse:test:queue:app.default:wait")) === 60,
    );
    // A worker that asks the table shares the jobs with those that Redis tells: none gets a job that another one has.
    const table = createDatabaseQueue({
      app: "app",
      database: fixture.database,
      clock: systemClock,
      name: "default",
      maxAttempts: 3,
    });
    for (const { id, attempt, payload } of await table.claim(50, 60_000)) {
      runs.push(Number(payload["n"]));
      await table.complete(id, attempt);
    }
    expect(await source.claim(4, 60_000)).toHaveLength(4);
    open(handlers).startWorker(5);
    await eventually("the rest", () => runs.length === 56);
    expect(await source.depth()).toEqual({ ready: 0, delayed: 0, leased: 4, dead: 0 });
    expect(new Set(runs).size).toBe(56);
  });
});
