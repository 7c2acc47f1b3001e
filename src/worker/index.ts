import type { JobNotices, JobSource } from "../drivers/queue/index.ts";
import { createConsumer, type ConsumerOptions } from "./consumer.ts";
import { createSlots } from "./slots.ts";

export { createQueuePrune } from "./prune.ts";

export interface WorkerOptions extends Omit<ConsumerOptions, "source" | "slots"> {
  /** One source for each queue that is polled. */
  readonly sources: readonly JobSource[];
  /** How many jobs run at once, of all queues together that have no concurrency of their own. */
  readonly concurrency: number;
  /** Tells this worker at once of jobs from other processes. Without notices, or where one was lost, polling finds the jobs. */
  readonly notices?: JobNotices | undefined;
}

export type Worker = ReturnType<typeof createWorker>;

/** Runs the jobs of all queues side by side. No queue starves another as long as its jobs end. */
export function createWorker({ sources, concurrency, notices, ...options }: WorkerOptions) {
  const slots = createSlots(concurrency);
  const slotsOf = ({ concurrency: own }: JobSource) => (own === undefined ? slots : createSlots(own));
  const consumers = sources.map((source) => createConsumer({ ...options, source, slots: slotsOf(source) }));
  const wake = (): void => consumers.forEach((consumer) => consumer.wake());
  let hearing: ReturnType<JobNotices> | undefined;
  return {
    start(): void {
      consumers.forEach((consumer) => consumer.start());
      hearing = notices?.(wake);
    },
    wake,
    async stop(deadlineMs: number): Promise<void> {
      await Promise.all([hearing?.stop(), ...consumers.map((consumer) => consumer.stop(deadlineMs))]);
    },
  };
}
