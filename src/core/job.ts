export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  /** `category:action`. Stored jobs outlive a release, so that a name is never changed. */
  readonly name: string;
  /** Stored in the clear: ids and addresses, never a secret. */
  readonly payload: JobPayload;
  /** Not before this long from now. */
  readonly delayMs?: number;
  /** The trace of the request or job that asks for it, where there is one (W3C Trace Context). */
  readonly traceId?: string;
}

/** What a job gets besides its payload. Jobs are idempotent: a killed worker's job is run again. */
export interface JobContext {
  readonly id: string;
  readonly attempt: number;
  /** Aborted when the job takes too long, its lease is lost or the worker's shutdown budget is spent. */
  readonly signal: AbortSignal;
}

export type JobHandler = (payload: JobPayload, context: JobContext) => Promise<void>;
/**
 * How an attempt ended, for metrics and inspects. `failed`: and no other attempt follows. `dropped`: the lease was lost or
 * the job handed back, so that another worker counts it.
 */
export type AttemptEnd = "done" | "retried" | "archived" | "failed" | "dropped";

/** Who watches jobs being run: starts the work, and resolves with it. */
export type AroundJob = (
  job: { readonly id: string; readonly name: string; readonly attempt: number; readonly traceId?: string | undefined },
  run: () => Promise<AttemptEnd>,
) => Promise<AttemptEnd>;

export type JobHandlers = ReadonlyMap<string, JobHandler>;

/**
 * Settles with the work, or rejects with the signal's reason once `graceMs` have passed since the abort: work that
 * heeds its signal ends in its own way, work that ignores it can't hold anyone up.
 */
export async function settle(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  const givenUp = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  const onAbort = () => {
    timer = setTimeout(() => givenUp.reject(signal.reason), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, givenUp.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Whether the work ends in time; it is left running when not. Rejects with the work. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
