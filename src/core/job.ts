export type JobPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  /** `category:action`, a contract that outlives a release (SEED §9). */
  readonly name: string;
  /** Stored in the clear: ids and addresses, never a secret. */
  readonly payload: JobPayload;
  /** Not before this long from now. */
  readonly delayMs?: number;
}

/** What a job gets besides its payload. Jobs are idempotent: a killed worker's job is run again. */
export interface JobContext {
  readonly id: string;
  readonly attempt: number;
  /** Aborted when the lease is lost or the worker's shutdown budget is spent. */
  readonly signal: AbortSignal;
}

export type JobHandler = (payload: JobPayload, context: JobContext) => Promise<void>;
export type JobHandlers = ReadonlyMap<string, JobHandler>;
