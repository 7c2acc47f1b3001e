import type { Job } from "../../core/job.ts";
import type { AcceptedJobs, Queue } from "./index.ts";

export interface RouterOptions {
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
