import { settle } from "../../core/pace/deadline.ts";
import type { DomainEvent, EventOf, Topic } from "../../core/topics.ts";
import type { EventHandler, EventLog, EventMetrics } from "./index.ts";
import type { EventLimits } from "./limits.ts";

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
