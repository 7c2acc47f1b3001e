import type { Clock } from "../../src/core/clock.ts";
import type { Dispatcher, DueJob } from "../../src/drivers/queue/dispatcher.ts";

/** Makes a dispatcher that is a list in memory, by the test's own clock. It looks for lost jobs with each claim. */
export function createListDispatcher(clock: Clock): Dispatcher {
  const known = new Map<string, DueJob>();
  return {
    graceMs: 0,
    sweepMs: 0,
    async hand(jobs) {
      for (const job of jobs) if (!known.has(job.id)) known.set(job.id, job);
    },
    async next(limit) {
      const due = [...known.values()].filter(({ availableAt }) => availableAt <= clock.now());
      const told = due.toSorted((a, b) => a.availableAt - b.availableAt).slice(0, limit);
      for (const { id } of told) known.delete(id);
      return told.map(({ id }) => id);
    },
    listen() {},
    async ping() {},
  };
}
