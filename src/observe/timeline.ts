import { AsyncLocalStorage } from "node:async_hooks";
import type { LogFields, LogLevel } from "./index.ts";
import { newTrace, type Trace } from "./trace.ts";

export const eventKinds = ["log", "query", "cache", "queue", "mail", "event", "http", "auth", "error"] as const;
export type EventKind = (typeof eventKinds)[number];
export const inspectSources = ["http", "jobs", "scheduler", "cli"] as const;
export type InspectSource = (typeof inspectSources)[number];

/** An event during a recording. Its content is redacted later, when it is written. */
export interface TimelineEvent {
  readonly kind: EventKind;
  readonly level: LogLevel;
  /** The name of an operation, a job or a topic, never a text of a client. */
  readonly name: string;
  readonly message: string;
  readonly attributes: LogFields;
  /** The start, as a value of `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number | undefined;
}

/** The record of one request, job, run of a schedule or command. */
export interface Recording {
  readonly source: InspectSource;
  /** The start, as a value of `performance.now()`. */
  readonly startedAt: number;
  readonly request: Request | undefined;
  /** Returns the trace, which is made on the first call, since most recordings never need one. */
  readonly trace: () => Trace;
  readonly events: TimelineEvent[];
  /** How many events did not fit. */
  dropped: number;
  /** Why the request was refused: the error code, and the reason behind it. */
  refusal: { readonly code: string; readonly reason: string } | undefined;
  /** The ids of the accounts that the recording is about. */
  readonly users: Set<string>;
  /** True once the recording is over. A timer that was set during it and fires later adds nothing. */
  ended: boolean;
}

interface Beginning {
  readonly source: InspectSource;
  readonly startedAt: number;
  readonly request?: Request | undefined;
  readonly trace?: () => Trace;
}

export type Timeline = ReturnType<typeof createTimeline>;

/** How many places are kept for events that explain a failure, so that a request with a thousand queries still shows its error. */
const reserve = 16;
/** The most accounts of a recording: the one that acts and those that it acts on. A command may act on thousands. */
const mostUsers = 4;

/** Whether an event explains a failure. */
export const explainsFailure = ({ kind, level }: Pick<TimelineEvent, "kind" | "level">): boolean =>
  kind === "auth" || kind === "error" || level === "warn" || level === "error";

/**
 * Knows which recording the running code belongs to, across awaits. A process has a timeline only where inspects are on; elsewhere nothing
 * is wrapped.
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

    /** Returns the recording of the running code, as long as it has not ended. */
    current(): Recording | undefined {
      const recording = storage.getStore();
      return recording === undefined || recording.ended ? undefined : recording;
    },

    add,

    /** Notes that the running code is about this account. */
    concerns(userId: string): void {
      const recording = storage.getStore();
      if (recording !== undefined && !recording.ended && recording.users.size < mostUsers) recording.users.add(userId);
    },

    /** Adds an event without a duration to the recording of the running code, if any. */
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
  /** Describes the result for the event. */
  readonly describe: (result: T) => { readonly message: string; readonly attributes: LogFields };
  /** Attributes known before the call has a result. */
  readonly attributes: LogFields;
}

/** Adds an event with the outcome and the duration of a call. Settles as the call does. */
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
