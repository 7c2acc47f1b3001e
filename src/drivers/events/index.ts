import type { LogOn } from "../../core/log.ts";
import type { DomainEvent, EventOf, Topic } from "../../core/topics.ts";

/** The signal is aborted when the handler takes too long or the bus closes. */
export type EventHandler<T extends Topic> = (event: EventOf<T>, signal: AbortSignal) => Promise<void> | void;

/**
 * Tells subscribers what has happened, after the change was committed. A bus within one process delivers at most once: a process that dies
 * in between has told nobody. A bus that processes share tells each subscriber at least once of what was handed over to it. Only the audit
 * log lasts.
 */
export interface EventBus {
  readonly driver: string;
  readonly name: string;
  /** Hands the event over and returns at once. Never throws: an event that breaks its topic's schema is logged and dropped. */
  publish(event: DomainEvent): void;
  /**
   * Subscribes a handler, which gets one event at a time, those of one publisher in their order. A handler that fails is logged and gets
   * the next event. A handler that is too slow for its bounded buffer loses events, which is logged. Nobody else notices either.
   * `subscriber` names the handler; a name that the bus already has throws. Where processes share the bus, those of one app that subscribe
   * by one name are one subscriber: each event goes to one of them. Call the result to end the subscription.
   */
  subscribe<const T extends Topic>(topics: T | readonly T[], handler: EventHandler<T>, subscriber: string): () => void;
  /** Returns the names of the subscribers in this process. */
  subscribers(): readonly string[];
  /** Rejects when the bus can't deliver. */
  ping(): Promise<void>;
  /** Delivers what was published, for a bounded time. Afterwards no handler is called. */
  close(): Promise<void>;
}
interface EventCounter {
  count(labels: { readonly topic: string; readonly status: "ok" | "failed" }, by?: number): void;
}
export interface EventMetrics {
  readonly publishes: EventCounter;
  /** Counts an event once for each subscriber that gets it; failed when the handler failed, took too long or lost the event. */
  readonly deliveries: EventCounter;
}

/** The log that a driver writes to when nobody waits for an answer. */
export type EventLog = LogOn<"debug" | "warn" | "error">;
