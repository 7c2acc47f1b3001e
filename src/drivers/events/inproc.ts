import { isTopic, topics, type Topic, type DomainEvent } from "../../core/topics.ts";
import {
  createIntake,
  defaultLimits,
  type EventLimits,
  createTopicCheck,
  createDelivery,
  type DeliveryOptions,
} from "./delivery.ts";
import type { EventBus, EventHandler, EventLog, EventMetrics } from "./index.ts";
import { endsWithin } from "../../core/pace/deadline.ts";

export interface InprocOptions {
  readonly name: string;
  readonly log: EventLog;
  readonly metrics?: EventMetrics | undefined;
  readonly limits?: Partial<EventLimits>;
}

/** Delivers events within this process alone. */
export function createInprocEventBus({ name, log, metrics, limits: given = {} }: InprocOptions): EventBus {
  const limits = { ...defaultLimits, ...given };
  const faultOf = createTopicCheck();
  const subscribers = new Map<Subscriber, { readonly name: string; readonly wanted: ReadonlySet<Topic> }>();
  // A rate needs the zero before the first event.
  for (const topic of Object.keys(topics)) metrics?.publishes.count({ topic, status: "ok" }, 0);
  let closed = false;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    closed = true;
    await Promise.all([...subscribers.keys()].map((subscriber) => subscriber.drained(limits.closeMs)));
    for (const subscriber of subscribers.keys()) subscriber.stop();
    subscribers.clear();
  }

  return {
    driver: "inproc",
    name,
    subscribers: () => [...subscribers.values()].map((each) => each.name),

    publish(event) {
      const fault = closed ? "the bus is closed" : faultOf(event);
      const fields = { topic: event.topic, event: event.id, bus: name };
      metrics?.publishes.count({
        topic: isTopic(event.topic) ? event.topic : "unknown",
        status: fault === undefined ? "ok" : "failed",
      });
      if (fault !== undefined) return log.error("event not published", { ...fields, reason: fault });
      log.debug("event published", fields);
      const takers = [...subscribers].filter(([, { wanted }]) => wanted.has(event.topic));
      // Each subscriber gets a copy, as if it had come over a wire: none can change the event for another.
      for (const [subscriber] of takers) subscriber.offer(structuredClone(event));
    },

    subscribe<const T extends Topic>(toTopics: T | readonly T[], handler: EventHandler<T>, subscriberName: string) {
      if (closed) throw new Error(`event bus "${name}" is closed`);
      if ([...subscribers.values()].some((each) => each.name === subscriberName))
        throw new Error(`"${subscriberName}" has subscribed to the event bus "${name}" already`);
      const { wanted, handle } = createIntake(toTopics, handler);
      const subscriber = createSubscriber({
        name: subscriberName,
        handle,
        limits,
        log,
        deliveries: metrics?.deliveries,
      });
      for (const topic of wanted) metrics?.deliveries.count({ topic, status: "ok" }, 0);
      subscribers.set(subscriber, { name: subscriberName, wanted });
      return () => {
        if (subscribers.delete(subscriber)) subscriber.stop();
      };
    },

    ping: async () => {
      if (closed) throw new Error(`event bus "${name}" is closed`);
    },

    close: () => (closing ??= close()),
  };
}

type Subscriber = ReturnType<typeof createSubscriber>;

/** The bounded buffer of one subscriber. It gets events one at a time, in turns of the event loop after the publisher's. */
function createSubscriber(options: DeliveryOptions) {
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
