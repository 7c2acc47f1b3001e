import { endsWithin } from "../../core/pace/deadline.ts";
import type { DomainEvent } from "../../core/topics.ts";
import { createDelivery, type DeliveryOptions } from "./delivery.ts";

export type Subscriber = ReturnType<typeof createSubscriber>;

/** The bounded buffer of one subscriber. It gets events one at a time, in turns of the event loop after the publisher's. */
export function createSubscriber(options: DeliveryOptions) {
  const { name, limits, log, deliveries } = options;
  const deliver = createDelivery(options);
  const waiting: DomainEvent[] = [];
  const stopped = new AbortController();
  let pumping: Promise<void> | undefined;
  let dropped = 0;

  async function pump(): Promise<void> {
    // The publisher's turn ends first, so that no subscriber can hold it up.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift())
      await deliver(event, stopped.signal);
    if (dropped > 0) log.warn("event subscriber caught up", { subscriber: name, dropped });
    dropped = 0;
    pumping = undefined;
  }

  return {
    offer(event: DomainEvent): void {
      if (stopped.signal.aborted) return;
      if (waiting.length >= limits.waiting) {
        dropped += 1;
        deliveries?.count({ topic: event.topic, status: "failed" });
        if (dropped === 1)
          log.warn("event subscriber too slow, events are dropped", { subscriber: name, topic: event.topic });
        return;
      }
      waiting.push(event);
      pumping ??= pump();
    },

    /** Resolves to whether all that was offered is delivered within that time. */
    drained: async (withinMs: number): Promise<boolean> => pumping === undefined || endsWithin(pumping, withinMs),

    /** Drops the events that wait, and aborts the one that is being handled. */
    stop(): void {
      if (waiting.length > 0) log.warn("event subscriber stopped", { subscriber: name, dropped: waiting.length });
      for (const { topic } of waiting.splice(0)) deliveries?.count({ topic, status: "failed" });
      stopped.abort(new Error("the subscription ended"));
    },
  };
}
