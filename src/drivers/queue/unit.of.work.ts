import type { Database } from "../database/index.ts";
import type { Queue, UnitOfWork, QueueMetrics, AcceptedJobs } from "./index.ts";
import type { Job } from "../../core/job.ts";

/** Commits changes to `database` together with the jobs that `queue` accepts for them. */
export const createUnitOfWork = (database: Database, queue: Pick<Queue, "accept">): UnitOfWork => ({
  async commit({ statements = [], jobs = [] }) {
    const accepted = queue.accept(jobs);
    const result = await database.batch([...statements, ...accepted.statements]);
    if (!result.applied) return result;
    await accepted.deliver();
    return { applied: true, results: result.results.slice(0, statements.length) };
  },
});

export const countWork = (unit: UnitOfWork, { enqueued }: QueueMetrics): UnitOfWork => ({
  async commit(work) {
    const result = await unit.commit(work);
    if (result.applied) for (const { name } of work.jobs ?? []) enqueued(name);
    return result;
  },
});

interface RouterOptions {
  readonly queues: ReadonlyMap<string, Queue>;
  /** The queue that carries the jobs of this name. */
  readonly queueOf: (job: string) => string;
}

/** Stands in front of all queues: each job goes to the queue that its name belongs to. */
export function createQueueRouter({ queues, queueOf }: RouterOptions): Pick<Queue, "accept"> {
  function queueFor(job: Job): Queue {
    const name = job.queue ?? queueOf(job.name);
    const queue = queues.get(name);
    if (queue === undefined)
      throw new Error(`job ${job.name} goes through the queue "${name}", which is not configured`);
    return queue;
  }

  return {
    accept(jobs) {
      const accepted: AcceptedJobs[] = [...Map.groupBy(jobs, queueFor)].map(([queue, own]) => queue.accept(own));
      return {
        statements: accepted.flatMap(({ statements }) => statements),
        async deliver() {
          for (const { deliver } of accepted) await deliver();
        },
      };
    },
  };
}
