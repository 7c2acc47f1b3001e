import type { QueueMetrics, UnitOfWork } from "./index.ts";

/** Wraps the unit of work so that the jobs that it enqueues are counted. */
export const countWork = (unit: UnitOfWork, { enqueued }: QueueMetrics): UnitOfWork => ({
  async commit(work) {
    const result = await unit.commit(work);
    if (result.applied) for (const { name } of work.jobs ?? []) enqueued(name);
    return result;
  },
});
