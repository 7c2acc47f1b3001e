import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Millis } from "../../src/core/clock.ts";
import type { JobHandlers, JobPayload } from "../../src/core/job.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import type { Queue, UnitOfWork } from "../../src/drivers/queue/index.ts";
import { maxPayloadBytes } from "../../src/drivers/queue/payload.ts";
import { type JobDatabase, openJobDatabase } from "./queue.database.ts";

export interface QueueUnderTest {
  readonly work: UnitOfWork;
  readonly queue: Pick<Queue, "driver" | "ping">;
  /** Makes sure that every job accepted so far has been run. */
  drain(): Promise<void>;
}

const note = (id: string) => ({ sql: "insert into notes (id) values ($id)", params: { id } });
const missing = { sql: "delete from notes where id = 'absent'", guard: true };

/** Defines the tests that every queue driver must pass for those who enqueue. */
export function queueConformance(
  name: string,
  open: (database: Database, handlers: () => JobHandlers) => QueueUnderTest,
) {
  describe(`every queue: ${name}`, () => {
    let fixture: JobDatabase;
    let subject: QueueUnderTest;
    let seen: JobPayload[];
    let askedFor: Millis[];

    beforeEach(async () => {
      fixture = await openJobDatabase();
      seen = [];
      askedFor = [];
      const handlers: JobHandlers = new Map([
        [
          "notes:file",
          async (payload, { acceptedAt }) => {
            seen.push(payload);
            askedFor.push(acceptedAt);
          },
        ],
      ]);
      subject = open(fixture.database, () => handlers);
    });
    afterEach(async () => fixture.dispose());

    const notes = async () =>
      (await fixture.database.all<{ id: string }>("select id from notes order by id")).map(({ id }) => id);

    test("a job arrives with the payload that it was given", async () => {
      const payload = { text: "für ada 📜", count: 3, urgent: true, parent: null };
      await subject.work.commit({ jobs: [{ name: "notes:file", payload }] });
      await subject.drain();
      expect(seen).toEqual([payload]);
    });

    test("a job knows when it was asked for", async () => {
      const before = Date.now();
      await subject.work.commit({ jobs: [{ name: "notes:file", payload: {} }] });
      const after = Date.now();
      await subject.drain();
      expect(askedFor).toEqual([expect.any(Number)]);
      expect(askedFor[0]).toBeWithin(before, after + 1);
    });

    test("a batch and its jobs are accepted together, in order", async () => {
      const jobs = [1, 2].map((count) => ({ name: "notes:file", payload: { count } }));
      const result = await subject.work.commit({ statements: [note("a"), note("b")], jobs });
      await subject.drain();
      expect(result).toMatchObject({ applied: true, results: [{ changes: 1 }, { changes: 1 }] });
      expect(result.applied && result.results).toHaveLength(2);
      expect(await notes()).toEqual(["a", "b"]);
      expect(seen).toEqual([{ count: 1 }, { count: 2 }]);
    });

    test("a batch that a guard undoes enqueues nothing", async () => {
      const result = await subject.work.commit({
        statements: [note("a"), missing],
        jobs: [{ name: "notes:file", payload: {} }],
      });
      await subject.drain();
      expect(result).toEqual({ applied: false, failedGuard: 1 });
      expect(await notes()).toEqual([]);
      expect(seen).toEqual([]);
    });

    test("a batch that fails enqueues nothing and rejects", async () => {
      await subject.work.commit({ statements: [note("a")] });
      await expect(
        subject.work.commit({ statements: [note("b"), note("a")], jobs: [{ name: "notes:file", payload: {} }] }),
      ).rejects.toThrow();
      await subject.drain();
      expect(await notes()).toEqual(["a"]);
      expect(seen).toEqual([]);
    });

    test.each([
      ["a name that is none", { name: "Notes File", payload: {} }, "is not a job name"],
      ["a payload past its bound", { name: "notes:file", payload: { text: "x".repeat(maxPayloadBytes) } }, "exceeds"],
      ["a number that JSON has not", { name: "notes:file", payload: { count: Number.NaN } }, "payload may hold"],
      ["a delay that is none", { name: "notes:file", payload: {}, delayMs: -1 }, "out of range"],
      ["a time for retries that is none", { name: "notes:file", payload: {}, retryForMs: 0 }, "out of range"],
    ])("%s is refused before anything is written", async (_, job, message) => {
      await expect(subject.work.commit({ statements: [note("a")], jobs: [job] })).rejects.toThrow(message);
      await expect(subject.work.commit({ jobs: [job] })).rejects.toThrow(message);
      await subject.drain();
      expect(await notes()).toEqual([]);
      expect(seen).toEqual([]);
    });

    test("it says whether it can take jobs", async () => {
      await subject.queue.ping();
      expect(subject.queue.driver).toBeString();
    });
  });
}
