import { afterEach, beforeEach, expect, test } from "bun:test";
import { hour, minute } from "../../src/core/clock.ts";
import { AttemptFailed, type JobHandlers } from "../../src/core/job.ts";
import { createDeadLetters } from "../../src/drivers/queue/table/dead.letters.ts";
import { openQueues } from "../../src/drivers/queue/open.ts";
import { createWorker, type Worker } from "../../src/worker/index.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { openJobDatabase, type JobDatabase } from "./queue.database.ts";

// A feature can have a queue for itself, beside those that are configured.
let fixture: JobDatabase;
let now: number;
const clock = { now: () => now };
const workers: Worker[] = [];
beforeEach(async () => {
  fixture = await openJobDatabase();
  now = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await fixture.dispose();
});

const rests = { firstMs: minute, longestMs: 4 * minute };
const open = (driver: "database" | "sync" = "database", handlers: JobHandlers = new Map()) =>
  openQueues({
    app: "app",
    config: { resources: { default: { driver } }, maxAttempts: 3 },
    own: [{ name: "feed-ledger", concurrency: 2, rests }],
    database: fixture.database,
    clock,
    log: createRecordingLog(),
    handlers: () => handlers,
    queueOf: () => "default",
  });
const job = (queue?: string) => ({ name: "feed:send", payload: {}, retryForMs: 72 * hour, ...(queue && { queue }) });
const ofFeed = job("feed-ledger");
const row = () => fixture.database.get<Record<string, unknown>>("select * from jobs");

test("it carries the jobs that name it, has places of its own, and takes none of the others'", async () => {
  let [together, most, others] = [0, 0, 0];
  const held = Promise.withResolvers<void>();
  const handlers: JobHandlers = new Map([
    [
      "feed:send",
      async () => {
        most = Math.max(most, (together += 1));
        await held.promise;
        together -= 1;
      },
    ],
    ["mail:send", async () => void (others += 1)],
  ]);
  const { work, sources, configured } = open("database", handlers);
  expect(configured.map(({ name }) => name)).toEqual(["default"]);
  await work.commit({ jobs: Array.from({ length: 5 }, () => ofFeed) });
  const worker = createWorker({ sources, handlers, concurrency: 1, clock, log: createRecordingLog(), pollMs: 5 });
  workers.push(worker);
  worker.start();
  await eventually("both places", () => together === 2);
  await work.commit({ jobs: Array.from({ length: 3 }, () => ({ name: "mail:send", payload: {} })) });
  await eventually("the other jobs", () => others === 3);
  held.resolve();
  await eventually("no job", async () => (await row()) === undefined);
  expect(most).toBe(2);
});

test("its jobs rest as it says, not before the time that a handler names, and not at all after a never", async () => {
  const { work, sources } = open();
  const [, feed] = sources;
  if (feed === undefined) throw new Error("no source");
  const claim = async () => {
    const [claimed] = await feed.claim(1, 1_000);
    if (claimed === undefined) throw new Error("no job");
    return claimed;
  };
  await work.commit({ jobs: [ofFeed] });
  for (const full of [minute, 2 * minute, 4 * minute, 4 * minute]) {
    const { id, attempt } = await claim();
    expect(await feed.fail(id, attempt, "down")).toBe("retry");
    const restMs = Number((await row())?.["available_at"]) - now;
    expect(restMs).toBeGreaterThanOrEqual(full / 2);
    expect(restMs).toBeLessThanOrEqual(full);
    now += full;
  }
  const throttled = await claim();
  await feed.fail(throttled.id, throttled.attempt, "busy", hour);
  expect(await row()).toMatchObject({ available_at: now + hour });
  now += hour;
  const last = await claim();
  expect(await feed.fail(last.id, last.attempt, "gone", "never")).toBe("dead");
  expect(await row()).toMatchObject({ state: "dead", last_error: "gone" });
});

test("a handler says to a worker when a job is tried again", async () => {
  const handlers: JobHandlers = new Map([
    ["feed:send", () => Promise.reject(new AttemptFailed("gone for good", { retry: "never" }))],
  ]);
  const { work, sources } = open("database", handlers);
  await work.commit({ jobs: [ofFeed] });
  const worker = createWorker({ sources, handlers, concurrency: 1, clock, log: createRecordingLog(), pollMs: 5 });
  workers.push(worker);
  worker.start();
  await eventually("a dead letter", async () => (await row())?.["state"] === "dead");
  expect(await row()).toMatchObject({ attempts: 1, last_error: "gone for good" });
});

test("it has the driver of the default queue", async () => {
  let done = 0;
  const { work, sources } = open("sync", new Map([["feed:send", async () => void (done += 1)]]));
  await work.commit({ jobs: [ofFeed] });
  expect([done, sources.length]).toEqual([1, 0]);
});

test("what no worker has taken for a week becomes a dead letter; what rests, or is in hand, does not", async () => {
  const { work, sources } = open();
  const deadLetters = createDeadLetters({ database: fixture.database, clock, maxAttempts: 3 });
  await work.commit({ jobs: [ofFeed, { ...job(), delayMs: 10 * 24 * hour }] });
  expect(await deadLetters.buryForgotten(now - 7 * 24 * hour)).toBe(0);
  now += 8 * 24 * hour;
  await work.commit({ jobs: [job()] });
  await sources[0]?.claim(1, minute);
  expect(await deadLetters.buryForgotten(now - 7 * 24 * hour)).toBe(1);
  expect(await deadLetters.list({ limit: 10 })).toMatchObject([
    { queue: "feed-ledger", error: "no worker has taken it: is its queue or its webhook still configured?" },
  ]);
});
