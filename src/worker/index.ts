import type { JobSource } from "../drivers/queue/index.ts";
import { createConsumer, type Consumer, type ConsumerOptions } from "./consumer.ts";
import { createSlots } from "./slots.ts";

export { createQueuePrune } from "./prune.ts";

export interface WorkerOptions extends Omit<ConsumerOptions, "source" | "slots"> {
  /** One for each queue. */
  readonly sources: readonly JobSource[];
  /** Jobs in hand at once, of all queues together. */
  readonly concurrency: number;
}

export type Worker = Consumer;

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
