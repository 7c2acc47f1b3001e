import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Millis } from "./clock.ts";

export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  /** `category:action`. A queued job can be older than the running release, so names and payloads must stay understood. */
  readonly name: string;
  /** Stored in plain text: ids and addresses, never a secret. */
  readonly payload: JobPayload;
  /** The least delay before the first attempt. */
  readonly delayMs?: number;
  /**
   * How long retries are worthwhile: until then every failed attempt is followed by another, without a limit on their number. Without it
   * the queue's number of attempts applies.
   */
  readonly retryForMs?: number;
  /** The queue that carries the job. Default: the queue of its name. */
  readonly queue?: string;
  /**
   * The app whose workers take the job. Default: the app that asks. A queue that runs its jobs itself ignores this and uses the settings of
   * its own app.
   */
  readonly app?: "app" | "admin";
  /** The trace of the request or job that asks for this one, if known (W3C Trace Context). */
  readonly traceId?: string;
}

/**
 * The circumstances of an attempt, passed to the handler with the payload. Handlers are idempotent: the job of a killed worker is run
 * again.
 */
export interface JobContext {
  readonly id: string;
  readonly attempt: number;
  readonly acceptedAt: Millis;
  /** Aborted when the job takes too long, its lease is lost, or the worker's shutdown budget is spent. */
  readonly signal: AbortSignal;
}

/** When a failed job may be tried again: after at least this many milliseconds, capped at a day, or never. */
export type Retry = number | "never";

/** Rejection of a handler that knows when another attempt makes sense. Any other error leaves the decision to the queue. */
export class AttemptFailed extends Error {
  readonly retry: Retry;
  constructor(message: string, { retry, cause }: { readonly retry: Retry; readonly cause?: unknown }) {
    super(message, { cause });
    this.name = "AttemptFailed";
    this.retry = retry;
  }
}

export type JobHandler = (payload: JobPayload, context: JobContext) => Promise<void>;

/** Returns a handler of payloads that fit the schema. The payload is checked before each attempt: another release may have stored it. */
export const checkedHandler =
  <T extends TSchema>(schema: T, handle: (payload: Static<T>, context: JobContext) => Promise<void>): JobHandler =>
  async (payload, context) => {
    if (!Value.Check(schema, payload)) throw new Error("the payload does not fit this job");
    await handle(payload, context);
  };

/**
 * How an attempt ended. `retried` and `archived` are failures: one with another attempt to come, the other as a dead letter. `failed` is a
 * failure in a queue that has neither. `dropped` means that the lease was lost or the job handed back: the next worker to run it counts its
 * end.
 */
export type AttemptEnd = "done" | "retried" | "archived" | "failed" | "dropped";

/** Wraps the run of a job to record it: starts the run, and resolves to how it ended. */
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
