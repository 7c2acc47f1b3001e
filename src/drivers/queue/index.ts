import type { Job, JobPayload } from "../../core/job.ts";
import type { BatchResult, Statement } from "../database/index.ts";

export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: JobPayload;
  readonly attempt: number;
}

/** The producing side. */
export interface Queue {
  readonly driver: string;
  readonly name: string;
  /**
   * Applies `statements` and accepts `jobs` as one unit where the driver can (the transactional outbox); a batch undone
   * by a guard enqueues nothing.
   */
  commit(statements: readonly Statement[], jobs: readonly Job[]): Promise<BatchResult>;
  enqueue(job: Job): Promise<void>;
  ping(): Promise<void>;
}

/** The consuming side, for drivers that a worker polls. A lease that runs out makes the job claimable again. */
export interface JobSource {
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedJob[]>;
  /** Keeps the lease of a job still in hand; false when it was lost. */
  extend(id: string, attempt: number, leaseMs: number): Promise<boolean>;
  complete(id: string, attempt: number): Promise<void>;
  /** Schedules a retry with backoff, or moves the job to the dead letters when its attempts are spent. */
  fail(id: string, attempt: number, error: string): Promise<"retry" | "dead">;
}
