import type { Clock } from "../core/clock.ts";
import type { AroundJob, JobHandlers } from "../core/job.ts";
import type { JobSource, QueueMeter } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";
import { createConsumer } from "./consumer.ts";
import { createSlots } from "./slots.ts";

export { createQueuePrune } from "./prune.ts";

export interface WorkerOptions {
  /** One for each queue. */
  readonly sources: readonly JobSource[];
  readonly handlers: JobHandlers;
  /** Jobs in hand at once, of all queues together. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a killed worker's jobs stay out of reach of the others. */
  readonly leaseMs?: number;
  /** How long an idle worker rests before it asks again; `wake` cuts it short. */
  readonly pollMs?: number;
  readonly jobTimeoutMs?: number;
  readonly meter?: Pick<QueueMeter, "started" | "ended">;
  readonly around?: AroundJob | undefined;
}

export interface Worker {
  start(): void;
  /** Jobs were enqueued in this process. */
  wake(): void;
  /**
   * Claims no more, lets the jobs in hand end until the deadline, then aborts them and hands back what is unfinished.
   * Resolves at most about two seconds after the deadline.
   */
  stop(deadlineMs: number): Promise<void>;
}

/** Works off any number of queues side by side; none starves another as long as its jobs end. */
export function createWorker({ sources, concurrency, ...options }: WorkerOptions): Worker {
  const slots = createSlots(concurrency);
  const consumers = sources.map((source) => createConsumer({ ...options, source, slots }));
  return {
    start: () => consumers.forEach((consumer) => consumer.start()),
    wake: () => consumers.forEach((consumer) => consumer.wake()),
    async stop(deadlineMs) {
      await Promise.all(consumers.map((consumer) => consumer.stop(deadlineMs)));
    },
  };
}
