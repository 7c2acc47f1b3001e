import { Value } from "@sinclair/typebox/value";
import { settle } from "../../core/pace/deadline.ts";
import { type DomainEvent, type EventOf, type Topic, isTopic, topics } from "../../core/topics.ts";
import type { EventHandler, EventLog, EventMetrics } from "./index.ts";
import { second } from "../../core/clock.ts";
import { registerName } from "../../core/naming.ts";

export interface EventLimits {
  /** How many events may wait for one subscriber, or to be handed over to a bus that processes share. Further ones are dropped. */
  readonly waiting: number;
  /** How long a handler may take for one event. */
  readonly handlerMs: number;
  /** How long all subscribers together may take to finish when the bus closes. */
  readonly closeMs: number;
}

export const defaultLimits: EventLimits = { waiting: 1_000, handlerMs: 30 * second, closeMs: 5 * second };

export interface DeliveryOptions {
  readonly name: string;
  readonly handle: (event: DomainEvent, signal: AbortSignal) => Promise<void> | void;
  readonly limits: EventLimits;
  readonly log: EventLog;
  readonly deliveries: EventMetrics["deliveries"] | undefined;
}

const graceMs = 500;

/** Hands one event to the handler, for a bounded time. Never rejects: a handler that fails or hangs is logged and counted. */
export function createDelivery({ name, handle, limits, log, deliveries }: DeliveryOptions) {
  return async (event: DomainEvent, stopped: AbortSignal): Promise<void> => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`it took longer than ${limits.handlerMs} ms`)),
      limits.handlerMs,
    );
    const signal = AbortSignal.any([late.signal, stopped]);
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
  };
}

/** Returns the topics that a handler is subscribed to, and the handler in a form that takes any event. */
export function createIntake<const T extends Topic>(toTopics: T | readonly T[], handler: EventHandler<T>) {
  const wanted: ReadonlySet<Topic> = new Set<Topic>(typeof toTopics === "string" ? [toTopics] : toTopics);
  const isWanted = (event: DomainEvent): event is EventOf<T> => wanted.has(event.topic);
  return {
    wanted,
    handle: (event: DomainEvent, signal: AbortSignal): Promise<void> | void =>
      isWanted(event) ? handler(event, signal) : undefined,
  };
}

/**
 * Throws when the name of a topic breaks its convention, so that a start fails and not a publication. Returns a function that
 * says why an event can't be published.
 */
export function createTopicCheck(): (event: DomainEvent) => string | undefined {
  const registered = new Set<string>();
  for (const topic of Object.keys(topics)) {
    registerName("topic", topic, registered);
    registered.add(topic);
  }
  return ({ topic, payload }) => {
    if (!isTopic(topic)) return "its topic is not a known one";
    return Value.Check(topics[topic], payload) ? undefined : "its payload does not fit the topic";
  };
}
