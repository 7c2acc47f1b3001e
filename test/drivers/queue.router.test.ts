import { afterEach, beforeEach, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import { openQueues, type OpenQueues } from "../../src/drivers/queue/open.ts";
import { createWorker, type Worker } from "../../src/worker/index.ts";
import { queueConformance } from "./queue.conformance.ts";
import { type JobDatabase, openJobDatabase } from "./queue.database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

const queueOf = (job: string): string => ({ "mail:send": "mails", "notes:tell": "now" })[job] ?? "default";

function open(
  { database }: Pick<JobDatabase, "database">,
  handlers: () => JobHandlers,
  onEnqueue = () => {},
): OpenQueues {
  return openQueues({
    app: "app",
    config: {
      resources: { default: { driver: "database" }, mails: { driver: "database" }, now: { driver: "sync" } },
      maxAttempts: 3,
    },
    database,
    clock: systemClock,
    log: createRecordingLog(),
    handlers,
    queueOf,
    onEnqueue,
  });
}

queueConformance("several behind one", (database, handlers) => {
  const { work, configured, sources } = open({ database }, handlers);
  const [queue] = configured;
  if (queue === undefined) throw new Error("no queue");
  return {
    work,
    queue,
    async drain() {
      for (const source of sources)
        for (const { id, name, payload, attempt, acceptedAt } of await source.claim(100, 1_000)) {
          await handlers().get(name)?.(payload, { id, attempt, acceptedAt, signal: new AbortController().signal });
          await source.complete(id, attempt);
        }
    },
  };
});

let fixture: JobDatabase;
const workers: Worker[] = [];
beforeEach(async () => {
  fixture = await openJobDatabase();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await fixture.dispose();
});

const stored = async () =>
  (await fixture.database.all<{ queue: string; name: string }>("select queue, name from jobs order by id")).map(
    ({ queue, name }) => `${queue} ${name}`,
  );
const job = (name: string) => ({ name, payload: {} });
const note = { sql: "insert into notes (id) values ('a')" };

test("jobs of one batch go each to its queue, and the batch is one", async () => {
  const told: string[] = [];
  let woken = 0;
  const handlers: JobHandlers = new Map([["notes:tell", async () => void told.push((await stored()).join())]]);
  const { work } = open(
    fixture,
    () => handlers,
    () => (woken += 1),
  );
  const jobs = [job("notes:file"), job("mail:send"), job("notes:tell")];
  const result = await work.commit({ statements: [note], jobs });
  expect(result).toMatchObject({ applied: true, results: [{ changes: 1 }] });
  expect((await stored()).toSorted()).toEqual(["default notes:file", "mails mail:send"]);
  // A queue that runs jobs at once runs them after the commit.
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("mails mail:send");
  expect(woken).toBeGreaterThan(0);

  const undone = await work.commit({
    statements: [{ sql: "delete from notes where id = 'absent'", guard: true }],
    jobs,
  });
  expect(undone).toEqual({ applied: false, failedGuard: 0 });
  expect(await stored()).toHaveLength(2);
  expect(told).toHaveLength(1);
});

test("one bad job of a batch, and nothing of it is written", async () => {
  const { work } = open(fixture, () => new Map());
  const bad = { name: "notes:tell", payload: { text: "x".repeat(10_000) } };
  await expect(work.commit({ statements: [note], jobs: [job("mail:send"), bad] })).rejects.toThrow("exceeds");
  expect(await stored()).toEqual([]);
  expect(await fixture.database.all("select id from notes")).toEqual([]);
});

test("a worker works off every queue within one bound, and a long one starves no other", async () => {
  let together = 0;
  let most = 0;
  const ended: string[] = [];
  const handle = (name: string) => async () => {
    most = Math.max(most, (together += 1));
    await Bun.sleep(3);
    together -= 1;
    ended.push(name);
  };
  const handlers: JobHandlers = new Map([
    ["notes:file", handle("notes:file")],
    ["mail:send", handle("mail:send")],
  ]);
  const { work, sources } = open(fixture, () => handlers);
  await work.commit({ jobs: Array.from({ length: 60 }, () => job("notes:file")) });
  await work.commit({ jobs: Array.from({ length: 10 }, () => job("mail:send")) });
  const worker = createWorker({ sources, handlers, concurrency: 2, clock: systemClock, log: createRecordingLog() });
  workers.push(worker);
  worker.start();
  await eventually("all", () => ended.length === 70, 60_000);
  expect(most).toBe(2);
  // Mails are ten of the seventy jobs, and get their turns between the others: they don't come last.
  expect(ended.lastIndexOf("mail:send")).toBeLessThan(45);
  await eventually("all reported", async () => (await stored()).length === 0);
});

test("a queue that fails holds up no other", async () => {
  const done: string[] = [];
  const handlers: JobHandlers = new Map([["mail:send", async () => void done.push("mail:send")]]);
  const { work, sources } = open(fixture, () => handlers);
  const [, mails] = sources;
  if (mails === undefined) throw new Error("no source");
  const broken = { ...mails, claim: () => Promise.reject(new Error("unreachable")) };
  const options = { handlers, concurrency: 1, clock: systemClock, log: createRecordingLog(), pollMs: 5 };
  const worker = createWorker({ sources: [broken, mails], ...options });
  workers.push(worker);
  worker.start();
  for (let sent = 1; sent <= 5; sent += 1) {
    await work.commit({ jobs: [job("mail:send")] });
    worker.wake();
    await eventually(`job ${sent}`, () => done.length === sent);
  }
});
