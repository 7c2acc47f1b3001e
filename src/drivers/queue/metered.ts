import type { Queue, QueueMeter } from "./index.ts";

/** The same queue, the jobs that it accepts counted. */
export const meterQueue = (queue: Queue, { enqueued }: QueueMeter): Queue => ({
  ...queue,
  async commit(statements, jobs) {
    const result = await queue.commit(statements, jobs);
    if (result.applied) for (const { name } of jobs) enqueued(name);
    return result;
  },
  async enqueue(job) {
    await queue.enqueue(job);
    enqueued(job.name);
  },
});
