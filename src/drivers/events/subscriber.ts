import { endsWithin, settle } from "../../core/deadline.ts";
import type { DomainEvent } from "../../core/topics.ts";
import type { EventLog, EventMetrics } from "./index.ts";
import type { EventLimits } from "./limits.ts";

interface SubscriberOptions {
  readonly name: string;
  readonly handle: (event: DomainEvent, signal: AbortSignal) => Promise<void> | void;
  readonly limits: EventLimits;
  readonly log: EventLog;
  readonly deliveries: EventMetrics["deliveries"] | undefined;
}

export type Subscriber = ReturnType<typeof createSubscriber>;

const graceMs = 500;

/** One subscriber's bounded buffer. Events are handed to it one at a time, in turns of the event loop after the publisher's. */
export function createSubscriber({ name, handle, limits, log, deliveries }: SubscriberOptions) {
  const waiting: DomainEvent[] = [];
  const stopped = new AbortController();
  let pumping: Promise<void> | undefined;
  let dropped = 0;

  async function deliver(event: DomainEvent): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`it took longer than ${limits.handlerMs} ms`)),
      limits.handlerMs,
    );
    const signal = AbortSignal.any([late.signal, stopped.signal]);
    const handling = async (): Promise<void> => handle(event, signal);
    try {
      await settle(handling(), signal, graceMs);
      deliveries?.count({ topic: event.topic, status: "ok" });
    } catch (error) {
      deliveries?.count({ topic: event.topic, status: "failed" });
      log.error("event subscriber failed", { subscriber: name, topic: event.topic, event: event.id, error });
    } finally {
      clearTimeout(timer);
    }
  }

  async function pump(): Promise<void> {
    // The publisher's turn ends first, so that no subscriber can hold it up.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) await deliver(event);
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
