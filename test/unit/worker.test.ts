import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandler } from "../../src/core/job.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import type { JobSource } from "../../src/drivers/queue/index.ts";
import { createWorker, type Worker, type WorkerOptions } from "../../src/worker/index.ts";
import { filling, type JobDatabase, openJobDatabase } from "../drivers/queue.database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

describe("the worker", () => {
  let fixture: JobDatabase;
  let workers: Worker[];
  let log: ReturnType<typeof createRecordingLog>;

  beforeEach(async () => {
    fixture = await openJobDatabase();
    workers = [];
    log = createRecordingLog();
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop(0)));
    await fixture.dispose();
  });

  const openQueue = (onEnqueue?: () => void, maxAttempts = 3) => {
    const queue = createDatabaseQueue({
      app: "app",
      database: fixture.database,
      clock: systemClock,
      name: "default",
      maxAttempts,
      random: () => 0,
      ...(onEnqueue && { onEnqueue }),
    });
    return filling(fixture.database, queue);
  };

  function startWorker(source: JobSource, handler: JobHandler, options: Partial<WorkerOptions> = {}): Worker {
    const handlers = new Map([["mail:send", handler]]);
    const worker = createWorker({
      sources: [source],
      handlers,
      concurrency: 4,
      clock: systemClock,
      log,
      pollMs: 10,
      ...options,
    });
    workers.push(worker);
    worker.start();
    return worker;
  }

  const job = (n = 1) => ({ name: "mail:send", payload: { n } });
  const messages = () => log.lines.map(({ message }) => message);
  const untilAborted: JobHandler = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

  test("runs what is enqueued and leaves nothing behind", async () => {
    const queue = openQueue();
    const seen: unknown[] = [];
    startWorker(queue, async (payload, { attempt }) => void seen.push([payload["n"], attempt]));
    await queue.commit({ jobs: [job(1), job(2)] });
    await eventually("both jobs", () => seen.length === 2);
    expect(seen).toEqual([
      [1, 1],
      [2, 1],
    ]);
    await eventually("an empty queue", async () => (await queue.depth()).leased === 0);
    expect(await queue.depth()).toEqual({ ready: 0, delayed: 0, leased: 0, dead: 0 });
  });

  test("a wake makes an idle worker look at once", async () => {
    const wake = { now: () => {} };
    const queue = openQueue(() => wake.now());
    let done = 0;
    const worker = startWorker(queue, async () => void (done += 1), { pollMs: 60_000 });
    wake.now = worker.wake;
    for (const n of [1, 2, 3]) {
      await queue.commit({ jobs: [job(n)] });
      await eventually("the job, long before the next poll", () => done === n);
    }
  });

  test("has no more jobs in hand than it may", async () => {
    const queue = openQueue();
    await queue.commit({ jobs: Array.from({ length: 9 }, (_, n) => job(n)) });
    let inHand = 0;
    let most = 0;
    let done = 0;
    const handler: JobHandler = async () => {
      most = Math.max(most, (inHand += 1));
      await Bun.sleep(5);
      inHand -= 1;
      done += 1;
    };
    startWorker(queue, handler, { concurrency: 2, pollMs: 60_000 });
    await eventually("all jobs", () => done === 9);
    expect(most).toBe(2);
  });

  test("keeps the lease of a job that takes longer than a lease", async () => {
    const queue = openQueue();
    await queue.commit({ jobs: [job()] });
    const attempts: number[] = [];
    const handler: JobHandler = async (_, { attempt }) => {
      attempts.push(attempt);
      await Bun.sleep(700);
    };
    startWorker(queue, handler, { leaseMs: 300 });
    startWorker(queue, handler, { leaseMs: 300 });
    await eventually("the job to be done", () => messages().includes("job done"));
    expect(attempts).toEqual([1]);
  });

  test("a job whose lease was lost is aborted and reports nothing", async () => {
    const queue = openQueue();
    await queue.commit({ jobs: [job()] });
    startWorker(queue, untilAborted, { leaseMs: 60 });
    await eventually("the claim", async () => (await queue.depth()).leased === 1);
    await fixture.database.run("update jobs set attempts = attempts + 1, leased_until = 9999999999999");
    await eventually("the abort", () => messages().includes("job lease lost, another worker may have it"));
    expect(await fixture.database.get("select state, attempts from jobs")).toEqual({ state: "pending", attempts: 2 });
  });

  test("a job that fails is kept for another attempt, and in the end for an operator", async () => {
    const queue = openQueue(undefined, 2);
    await queue.commit({ jobs: [job()] });
    startWorker(queue, () => Promise.reject(new Error("relay down")));
    await eventually("the first failure", () => messages().includes("job failed"));
    expect(await fixture.database.get("select state, last_error from jobs")).toEqual({
      state: "pending",
      last_error: "relay down",
    });
    await fixture.database.run("update jobs set available_at = 0");
    await eventually("the last failure", () => messages().includes("job failed for good"));
    expect((await queue.depth()).dead).toBe(1);
  });

  test("a job that nobody knows is a failure that names it", async () => {
    const queue = openQueue(undefined, 1);
    await queue.commit({ jobs: [{ name: "mail:burn", payload: {} }] });
    startWorker(queue, async () => {});
    await eventually("the dead letter", async () => (await queue.depth()).dead === 1);
    expect(await fixture.database.get("select last_error from jobs")).toEqual({
      last_error: 'no handler is registered for the job "mail:burn"',
    });
  });

  test.each([
    ["heeds", untilAborted],
    ["ignores", () => new Promise<void>(() => {})],
  ])("a job that takes too long and %s its signal fails and frees its place", async (_, handler) => {
    const queue = openQueue();
    await queue.commit({ jobs: [job()] });
    startWorker(queue, handler, { jobTimeoutMs: 20, concurrency: 1 });
    await eventually("the failure", () => messages().includes("job failed"));
    expect(await fixture.database.get("select last_error from jobs")).toEqual({
      last_error: "the job took longer than 20 ms",
    });
  });

  test("stop waits for the job in hand and claims no other", async () => {
    const queue = openQueue();
    await queue.commit({ jobs: [job(1), job(2)] });
    const gate = Promise.withResolvers<void>();
    const worker = startWorker(queue, () => gate.promise, { concurrency: 1 });
    await eventually("the claim", async () => (await queue.depth()).leased === 1);
    const stopped = worker.stop(5_000);
    gate.resolve();
    await stopped;
    expect(await queue.depth()).toEqual({ ready: 1, delayed: 0, leased: 0, dead: 0 });
  });

  test("past the deadline the job in hand is aborted and another worker gets it at once", async () => {
    const queue = openQueue(undefined, 1);
    await queue.commit({ jobs: [job()] });
    const worker = startWorker(queue, untilAborted);
    await eventually("the claim", async () => (await queue.depth()).leased === 1);
    await worker.stop(5);
    expect(await queue.depth()).toEqual({ ready: 1, delayed: 0, leased: 0, dead: 0 });
    let attempts = 0;
    startWorker(queue, async (_, { attempt }) => void (attempts = attempt));
    await eventually("the other worker", () => attempts === 2);
  });

  test("a job that ignores the abort can't hold up the stop", async () => {
    const queue = openQueue();
    await queue.commit({ jobs: [job()] });
    const worker = startWorker(queue, () => new Promise<void>(() => {}));
    await eventually("the claim", async () => (await queue.depth()).leased === 1);
    const started = performance.now();
    await worker.stop(5);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect((await queue.depth()).ready).toBe(1);
  });

  test("while jobs can't be claimed it backs off, and it goes on when they can", async () => {
    const queue = openQueue();
    let done = 0;
    let asked = 0;
    // The table is away: a real failure of a real database.
    await fixture.database.run("alter table jobs rename to jobs_away");
    const source: JobSource = {
      ...queue,
      claim: (limit, leaseMs) => {
        asked += 1;
        return queue.claim(limit, leaseMs);
      },
    };
    const worker = startWorker(source, async () => void (done += 1), { pollMs: 40 });
    const nudge = setInterval(worker.wake, 1);
    await eventually("three failures", () => log.lines.filter(({ level }) => level === "error").length === 3);
    clearInterval(nudge);
    expect(asked).toBe(3);
    await fixture.database.run("alter table jobs_away rename to jobs");
    await queue.commit({ jobs: [job()] });
    await eventually("the job", () => done === 1);
  });

  test("it rests as long as its queue says once that has no more jobs, and a wake ends the rest", async () => {
    const queue = openQueue();
    const rests: number[] = [];
    let wake = (): void => {};
    let done = 0;
    const source: JobSource = {
      ...queue,
      listen: (onJob) => (wake = onJob),
      async restMs(pollMs) {
        rests.push(pollMs);
        return 60_000;
      },
    };
    startWorker(source, async () => void (done += 1), { pollMs: 10, concurrency: 2 });
    await eventually("a rest", () => rests.length > 0);
    await queue.commit({ jobs: [job(1), job(2), job(3)] });
    await Bun.sleep(50);
    expect({ done, rests }).toEqual({ done: 0, rests: [10] });
    wake();
    await eventually("the jobs", () => done === 3);
  });

  test("a worker starts once", () => {
    const worker = startWorker(openQueue(), async () => {});
    expect(() => worker.start()).toThrow("starts once");
  });
});
