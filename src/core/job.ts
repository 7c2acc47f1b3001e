import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Millis } from "./clock.ts";

export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  /** `category:action`. A queued job can be older than the running release: names and payloads stay understood. */
  readonly name: string;
  /** Stored in the clear: ids and addresses, never a secret. */
  readonly payload: JobPayload;
  /** Not before this long from now. */
  readonly delayMs?: number;
  /**
   * How long it is worth trying: until then a failed attempt is followed by another, however many there were. Without it a job
   * gets so many attempts as its queue allows.
   */
  readonly retryForMs?: number;
  /** The queue that carries it. Without it the one that its name belongs to. */
  readonly queue?: string;
  /**
   * The app whose workers take it. Without it the one that asks. A queue that runs its jobs itself knows no other app, and runs it
   * with the settings of its own.
   */
  readonly app?: "app" | "admin";
  /** The trace of the request or job that asks for this one, where it is known (W3C Trace Context). */
  readonly traceId?: string;
}

/** What a handler gets besides the payload. Handlers are idempotent: the job of a killed worker is run again. */
export interface JobContext {
  readonly id: string;
  readonly attempt: number;
  /** When the job was asked for. */
  readonly acceptedAt: Millis;
  /** Aborted when the job takes too long, its lease is lost or the worker's shutdown budget is spent. */
  readonly signal: AbortSignal;
}

/** When a failed job may be tried again: not before so many milliseconds have passed, a day at most, or never. */
export type Retry = number | "never";

/** What a handler rejects with when it knows when another attempt makes sense. Any other error leaves that to the queue. */
export class AttemptFailed extends Error {
  readonly retry: Retry;
  constructor(message: string, { retry, cause }: { readonly retry: Retry; readonly cause?: unknown }) {
    super(message, { cause });
    this.name = "AttemptFailed";
    this.retry = retry;
  }
}

export type JobHandler = (payload: JobPayload, context: JobContext) => Promise<void>;

/** A handler of payloads that fit the schema. The payload is checked before each attempt: another release may have stored it. */
export const checkedHandler =
  <T extends TSchema>(schema: T, handle: (payload: Static<T>, context: JobContext) => Promise<void>): JobHandler =>
  async (payload, context) => {
    if (!Value.Check(schema, payload)) throw new Error("the payload does not fit this job");
    await handle(payload, context);
  };

/**
 * How an attempt ended. `retried` and `archived` are failures: with another attempt to come, and as a dead letter. `failed`
 * is a failure in a queue that has neither. `dropped` means that the lease was lost or the job was handed back: the worker
 * that has it next counts how it ends.
 */
export type AttemptEnd = "done" | "retried" | "archived" | "failed" | "dropped";

/** Wraps the run of a job in order to record it: starts the run, and resolves with how it ended. */
export type WatchJob = (
  job: {
    readonly id: string;
    readonly name: string;
    readonly attempt: number;
    readonly payload: JobPayload;
    readonly traceId?: string | undefined;
  },
  run: () => Promise<AttemptEnd>,
) => Promise<AttemptEnd>;

export type JobHandlers = ReadonlyMap<string, JobHandler>;
