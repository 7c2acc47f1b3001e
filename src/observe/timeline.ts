import { AsyncLocalStorage } from "node:async_hooks";
import type { LogFields, LogLevel } from "./index.ts";
import { newTrace, type Trace } from "./trace.ts";

export const eventKinds = ["log", "query", "cache", "queue", "mail", "event", "http", "auth", "error"] as const;
export type EventKind = (typeof eventKinds)[number];
export const inspectSources = ["http", "jobs", "scheduler", "cli"] as const;
export type InspectSource = (typeof inspectSources)[number];

/** Something that happened during a recording. What it holds is redacted when it is written, not here. */
export interface TimelineEvent {
  readonly kind: EventKind;
  readonly level: LogLevel;
  /** The name of an operation, a job or a topic: never what a client sent. */
  readonly name: string;
  readonly message: string;
  readonly attributes: LogFields;
  /** A `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number | undefined;
}

/** What is recorded of one request, job, run of a schedule or command. */
export interface Recording {
  readonly source: InspectSource;
  /** A `performance.now()`. */
  readonly startedAt: number;
  readonly request: Request | undefined;
  /** Made when it is first asked for, since few ask. */
  readonly trace: () => Trace;
  readonly events: TimelineEvent[];
  /** How many events did not fit. */
  dropped: number;
  /** Why it was refused, the error code first and then what lies behind it. */
  refusal: { readonly code: string; readonly reason: string } | undefined;
  /** The ids of the accounts that it is about. */
  readonly users: Set<string>;
  /** What happens afterwards, in a timer that was set during it, is no part of it. */
  ended: boolean;
}

interface Beginning {
  readonly source: InspectSource;
  readonly startedAt: number;
  readonly request?: Request | undefined;
  readonly trace?: () => Trace;
}

export type Timeline = ReturnType<typeof createTimeline>;

/**
 * How many places are kept for events that explain a failure, so that a request with a thousand queries still shows its
 * error.
 */
const reserve = 16;
/** Whoever acts and whom it is done to; a command may act on thousands. */
const mostUsers = 4;

/** Whether an event explains a failure. */
export const explainsFailure = ({ kind, level }: Pick<TimelineEvent, "kind" | "level">): boolean =>
  kind === "auth" || kind === "error" || level === "warn" || level === "error";

/**
 * Knows which recording the running code belongs to, across awaits. There is one only where inspects are on: where they
 * are off, nothing is wrapped and nobody asks.
 */
export function createTimeline({ maxEvents }: { readonly maxEvents: number }) {
  const storage = new AsyncLocalStorage<Recording>();
  const plain = Math.max(1, maxEvents - reserve);

  function add(recording: Recording, event: TimelineEvent): void {
    const { events } = recording;
    if (recording.ended) return;
    if (events.length < plain || (events.length < maxEvents && explainsFailure(event))) events.push(event);
    else recording.dropped += 1;
  }

  return {
    begin({ source, startedAt, request, trace = newTrace }: Beginning): Recording {
      let made: Trace | undefined;
      return {
        source,
        startedAt,
        request,
        trace: () => (made ??= trace()),
        events: [],
        dropped: 0,
        refusal: undefined,
        users: new Set(),
        ended: false,
      };
    },

    run: <A extends readonly unknown[], T>(recording: Recording, work: (...given: A) => T, ...given: A): T =>
      storage.run(recording, work, ...given),

    /** The recording of what is running, as long as it has not ended. */
    current(): Recording | undefined {
      const recording = storage.getStore();
      return recording === undefined || recording.ended ? undefined : recording;
    },

    add,

    /** Says that what is running is about this account. */
    concerns(userId: string): void {
      const recording = storage.getStore();
      if (recording !== undefined && !recording.ended && recording.users.size < mostUsers) recording.users.add(userId);
    },

    /** Adds an event without a duration to the recording of what is running, if there is one. */
    record(event: Omit<TimelineEvent, "startedAt" | "durationMs">): void {
      const recording = storage.getStore();
      if (recording === undefined || recording.ended) return;
      add(recording, { ...event, startedAt: performance.now(), durationMs: undefined });
    },
  };
}

interface TimedCall<T> {
  readonly kind: EventKind;
  readonly name: string;
  /** What the event says about the result. */
  readonly describe: (result: T) => { readonly message: string; readonly attributes: LogFields };
  /** Attributes known before the call has a result. */
  readonly attributes: LogFields;
}

/** Adds an event that says how a call went and how long it took. Settles as the call does. */
export async function timed<T>(
  timeline: Timeline,
  recording: Recording,
  { kind, name, describe, attributes }: TimedCall<T>,
  call: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const span = () => ({ kind, name, startedAt, durationMs: performance.now() - startedAt });
  try {
    const result = await call();
    const described = describe(result);
    const all = { ...attributes, ...described.attributes };
    timeline.add(recording, { ...span(), level: "info", message: described.message, attributes: all });
    return result;
  } catch (error) {
    timeline.add(recording, { ...span(), level: "error", message: "failed", attributes: { ...attributes, error } });
    throw error;
  }
}
