import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { createDeadLetters } from "../../src/drivers/queue/table/dead.letters.ts";
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
  /** A process that knows nothing of Redis, or that died before it had told anybody. */
  const openTable = () => {
    const options = { app: "app", database: fixture.database, clock: systemClock, name: "default", maxAttempts: 3 };
    return filling(fixture.database, createDatabaseQueue(options));
  };

  queueConformance("redis", (database, handlers) => {
    const { work, queue, source } = queues.open({ database, url: server.url });
    return {
      work,
      queue,
      async drain() {
        for (const { id, name, payload, attempt, acceptedAt } of await source.claim(100, 1_000)) {
          await handlers().get(name)?.(payload, { id, attempt, acceptedAt, signal: new AbortController().signal });
          await source.complete(id, attempt);
        }
      },
    };
  });

  test("workers of other processes are woken by a job within milliseconds, and do not poll", async () => {
    const { runs, handlers } = counting();
    const [one, another] = [open(handlers), open(handlers)];
    one.startWorker(3_600_000);
    another.startWorker(3_600_000);
    await Promise.all([one.heard(), another.heard()]);
    const { work } = open();
    const waits: number[] = [];
    for (const [n, job] of jobs(15).entries()) {
      const committed = performance.now();
      await work.commit({ jobs: [job] });
      await eventually(`job ${n}`, () => runs.length === n + 1);
      waits.push(performance.now() - committed);
    }
    expect(waits.toSorted((a, b) => a - b)[7]).toBeLessThan(100);
    await eventually("no row", () => isEmpty(fixture.database));
    expect(ascending(runs)).toEqual(numbers(15));
  });

  test("a job with a delay, and one that failed in a process that is gone, begin when they are due", async () => {
    const { runs, handlers } = counting();
    const other = open();
    const { heard, startWorker } = open(handlers);
    // In hand of another process before the worker has begun.
    await openTable().commit({ jobs: jobs(2) });
    const [failing, held] = await other.source.claim(2, 60_000);
    startWorker(3_600_000);
    await heard();
    const started = Date.now();
    await other.work.commit({ jobs: [{ name: "notes:file", payload: { n: 2 }, delayMs: 400 }] });
    await eventually("the job", () => runs.length === 1, 10_000);
    expect(Date.now() - started).toBeGreaterThanOrEqual(400);
    expect(await other.source.fail(failing?.id ?? "", 1, "no")).toBe("retry");
    await eventually("the retry", () => runs.length === 2, 10_000);
    expect(await other.source.release(held?.id ?? "", 1)).toBe(true);
    await eventually("the job that was handed back", () => runs.length === 3, 10_000);
    expect(runs).toEqual([2, 0, 1]);
  });

  test("a dead letter that is tried again begins at once", async () => {
    const { runs, handlers } = counting();
    const { heard, startWorker } = open(handlers);
    startWorker(3_600_000);
    await heard();
    const { wake } = open();
    const deadLetters = createDeadLetters({ database: fixture.database, clock: systemClock, maxAttempts: 3, wake });
    for (const retry of [(id: string) => deadLetters.retry(id), () => deadLetters.retryAll()]) {
      await openTable().commit({ jobs: [{ name: "notes:file", payload: { n: 0 }, delayMs: 60_000 }] });
      await fixture.database.run("update jobs set state = 'dead', finished_at = 1");
      const row = await fixture.database.get<{ id: string }>("select id from jobs");
      await retry(row?.id ?? "");
      await eventually("the job", async () => (await fixture.database.get("select id from jobs")) === undefined, 5_000);
    }
    expect(runs).toEqual([0, 0]);
  });

  test("D-41 Redis holds the names of apps and queues, and nothing of a job", async () => {
    const { work, startWorker, heard } = open();
    startWorker(5);
    await heard();
    await work.commit({
      jobs: [{ name: "mail:send-secretly", payload: { address: "ada@example.test" }, delayMs: 60_000 }],
    });
    const stream = "gatehouse:test:queue:app.default:wake";
    await eventually("a stream", async () => (await server.command("EXISTS", stream)) === 1);
    for (const job of jobs(50)) await work.commit({ jobs: [{ ...job, delayMs: 60_000 }] });
    expect(await server.command("XLEN", stream)).toBe(1);
    expect(await server.command("XRANGE", stream, "-", "+")).toEqual([[expect.any(String), ["job", ""]]]);
    const keys = await server.command("KEYS", "*");
    const others = (Array.isArray(keys) ? keys : []).filter((key) => key !== stream);
    // A probe writes it for a second to ask whether the server takes writes.
    expect(others.filter((key) => key !== "gatehouse:test:queue:check")).toEqual([]);
  });

  test("X-46 an app is woken for its own jobs alone, by whichever app they were asked for", async () => {
    const [app, admin] = [counting(), counting()];
    const { work, startWorker } = open(app.handlers);
    const other = open(admin.handlers, "admin");
    other.startWorker(3_600_000);
    startWorker(5);
    await other.heard();
    await work.commit({ jobs: [{ name: "notes:file", payload: { n: 1 }, app: "admin" }, ...jobs(1)] });
    await eventually("both", () => isEmpty(fixture.database));
    expect([app.runs, admin.runs]).toEqual([[0], [1]]);
  });

  test("D-40 a job that nobody told of runs once with the next wake, and within half a minute without one", async () => {
    const { runs, handlers } = counting();
    const { work, source, heard, startWorker } = open(handlers);
    startWorker(3_600_000);
    open(handlers).startWorker(3_600_000);
    await heard();
    await openTable().commit({ jobs: jobs(40).slice(1) });
    await server.command("FLUSHALL");
    expect(await source.restMs?.(3_600_000)).toBeLessThanOrEqual(30_000);
    await work.commit({ jobs: jobs(1) });
    await eventually("no job", () => isEmpty(fixture.database));
    expect(ascending(runs)).toEqual(numbers(40));
  });

  test("D-40 workers that ask the table share the jobs with those that are woken: each runs once", async () => {
    const { runs, handlers } = counting();
    const { work, source, startWorker } = open(handlers);
    await work.commit({ jobs: jobs(60) });
    const table = openTable();
    for (const { id, attempt, payload } of await table.claim(50, 60_000)) {
      runs.push(Number(payload["n"]));
      await table.complete(id, attempt);
    }
    expect(await source.claim(4, 60_000)).toHaveLength(4);
    startWorker(5);
    await eventually("the rest", async () => (await source.depth()).leased === 4 && runs.length === 56);
    expect(await source.depth()).toEqual({ ready: 0, delayed: 0, leased: 4, dead: 0 });
    expect(new Set(runs).size).toBe(56);
  });

  test("D-40 jobs whose ids release 0.2.0 has left in Redis run once, and what it left there is not looked at", async () => {
    const { runs, handlers } = counting();
    await openTable().commit({ jobs: jobs(3) });
    await openTable().commit({ jobs: [{ name: "notes:file", payload: { n: 3 }, delayMs: 300 }] });
    // The first one is in hand: its worker has taken the id out of Redis, and was killed.
    const [taken] = await openTable().claim(1, 500);
    const rows = await fixture.database.all<{ id: string }>("select id from jobs order by available_at, id");
    const [, second = "", third = "", late = ""] = rows.map(({ id }) => id);
    expect(taken?.id).toBe(rows[0]?.id);
    await leaveAsBullMq(server, { waiting: [second, third, "done-long-ago"], delayed: [late] });
    const left = await server.command("DBSIZE");
    open(handlers).startWorker(3_600_000);
    open(handlers).startWorker(3_600_000);
    await eventually("no job", () => isEmpty(fixture.database), 20_000);
    expect(ascending(runs)).toEqual(numbers(4));
    expect(await server.command("LLEN", "gatehouse:test:queue:app.default:wait")).toBe(3);
    expect(Number(await server.command("DBSIZE"))).toBeGreaterThanOrEqual(Number(left));
  });
});

/** The keys of a queue as release 0.2.0 wrote them, through BullMQ 6.7. */
async function leaveAsBullMq(
  server: RedisServer,
  { waiting, delayed }: { readonly waiting: readonly string[]; readonly delayed: readonly string[] },
): Promise<void> {
  const key = (type: string): string => `gatehouse:test:queue:app.default:${type}`;
  for (const id of [...waiting, ...delayed]) {
    const opts = JSON.stringify({ removeOnFail: true, jobId: id, removeOnComplete: true, delay: 0, attempts: 0 });
    const fields = ["name", "job", "data", "{}", "delay", "0", "priority", "0", "timestamp", "1795487696886"];
    await server.command("HSET", key(id), ...fields, "opts", opts);
    await server.command("XADD", key("events"), "*", "event", "added", "jobId", id, "name", "job");
  }
  await server.command("LPUSH", key("wait"), ...waiting);
  for (const id of delayed) await server.command("ZADD", key("delayed"), "7354317851807744", id);
  await server.command("ZADD", key("marker"), "0", "0", "1795487756789", "1");
  await server.command("SET", key("id"), String(waiting.length + delayed.length));
  await server.command("HSET", key("meta"), "opts.maxLenEvents", "100", "version", "bullmq:6.7.0");
}
