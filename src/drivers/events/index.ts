import type { DomainEvent, EventOf, Topic } from "../../core/topics.ts";

/** The signal is aborted when the handler takes too long or the bus closes. */
export type EventHandler<T extends Topic> = (event: EventOf<T>, signal: AbortSignal) => Promise<void> | void;

/**
 * Tells those who subscribed what has happened, after the change was committed. Within one process at most once: one that dies in
 * between has told nobody. A bus that processes share tells each subscriber at least once of what was handed over to it. The audit
 * log is what lasts.
 */
export interface EventBus {
  readonly driver: string;
  readonly name: string;
  /** Hands the event over and returns at once. Never throws: an event that breaks its topic's schema is logged and dropped. */
  publish(event: DomainEvent): void;
  /**
   * The handler gets one event at a time, those of one publisher in their order. One that fails is logged and gets the next
   * event; one too slow for its bounded buffer loses events, which is logged. Neither is noticed by anyone else.
   * `subscriber` names it, once on a bus, else this throws. Where processes share the bus, those of one app that subscribe by the same
   * name are one subscriber: each event goes to one of them. Call the result to end the subscription.
   */
  subscribe<const T extends Topic>(topics: T | readonly T[], handler: EventHandler<T>, subscriber: string): () => void;
  /** The names of those who have subscribed in this process. */
  subscribers(): readonly string[];
  /** Rejects when the bus can't deliver. */
  ping(): Promise<void>;
  /** Delivers what was published, for a bounded time; after it no handler is called. */
  close(): Promise<void>;
}

/** What counts the events; a counter of the application's metrics fits. */
interface EventCounter {
  count(labels: { readonly topic: string; readonly status: "ok" | "failed" }, by?: number): void;
}
export interface EventMetrics {
  readonly publishes: EventCounter;
  /** One for each subscriber that gets the event; failed when it failed, took too long or lost the event. */
  readonly deliveries: EventCounter;
}

/** What a driver says when nobody waits for an answer; the application's log satisfies it. */
export interface EventLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
