import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import type { JobHandlers } from "../../src/core/job.ts";
import { createSyncQueue } from "../../src/drivers/queue/sync.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { queueConformance } from "./queue.conformance.ts";
import { openJobDatabase } from "./queue.database.ts";
import { createRecordingLog } from "../support/log.ts";

queueConformance("sync", (database, handlers) => {
  const queue = createSyncQueue({ clock: systemClock, handlers, log: createRecordingLog() });
  return { work: createUnitOfWork(database, queue), queue, drain: async () => {} };
});

const failing: JobHandlers = new Map([
  ["notes:tear", () => Promise.reject(new Error("torn"))],
  ["notes:stall", () => new Promise<void>(() => {})],
]);

test.each([
  ["fails", "notes:tear", "job failed", "torn"],
  ["never ends", "notes:stall", "job failed", "timed out"],
  ["has no handler", "notes:lose", "job has no handler", ""],
])("a job that %s is logged, and the write that it belongs to stands", async (_, name, message, reason) => {
  await using fixture = await openJobDatabase();
  const log = createRecordingLog();
  const { database } = fixture;
  const queue = createSyncQueue({ clock: systemClock, handlers: () => failing, log, timeoutMs: 5 });
  const result = await createUnitOfWork(database, queue).commit({
    statements: [{ sql: "insert into notes (id) values ('a')" }],
    jobs: [{ name, payload: {} }],
  });
  expect(result.applied).toBe(true);
  expect(await fixture.database.all("select id from notes")).toHaveLength(1);
  expect(log.lines).toMatchObject([{ level: "error", message, fields: { job: name } }]);
  expect(Bun.inspect(log.lines[0]?.fields["error"])).toContain(reason);
});
