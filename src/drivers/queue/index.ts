import type { LogOn } from "../../core/log.ts";
import type { Millis } from "../../core/clock.ts";
import type { AttemptEnd, Job, JobPayload, Retry } from "../../core/job.ts";
import type { BatchResult, Statement } from "../database/index.ts";
import type { QueueDepth } from "./table/job.columns.ts";

export type { JobBoard, StoredJob } from "./table/board.repository.ts";
export type { DeadJob } from "./table/dead.letter.repository.ts";
export type { DeadLetters } from "./table/dead.letters.ts";
export type { JobMentions, PayloadField } from "./table/mention.repository.ts";
export type { QueueDepth } from "./table/job.columns.ts";

export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: JobPayload;
  /** Counts from 1 and only ever grows: an earlier holder of the job can no longer report on it. */
  readonly attempt: number;
  readonly acceptedAt: Millis;
  /** The trace id that the job was enqueued with. */
  readonly traceId?: string | undefined;
}

/** The producing side of a queue. */
export interface Queue {
  readonly driver: string;
  readonly name: string;
  /** Returns how the jobs get into this queue; writes nothing yet. Throws on a job with a bad name or payload. */
  accept(jobs: readonly Job[]): AcceptedJobs;
  ping(): Promise<void>;
  /** Rejects while workers can't be woken. Jobs are accepted all the same, and workers poll. Absent where the driver wakes nobody. */
  reachWorkers?(): Promise<void>;
  /**
   * Wakes the workers of an app because some of its jobs are due that this queue has not just accepted. Absent where the driver wakes
   * nobody.
   */
  wake?(app: string): void;
}

export interface AcceptedJobs {
  /** Rows that hold the jobs, for the batch of the change that they belong to: a batch undone by a guard enqueues nothing. */
  readonly statements: readonly Statement[];
  /** Called once that batch was applied: wakes a worker, or hands over the jobs that no row holds. */
  deliver(): Promise<void>;
}

/** How long failed jobs rest: `firstMs` after the first failure, then doubling up to `longestMs`. */
export interface Rests {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * A queue that a feature has for itself, with the driver of the default one: its jobs take no other queue's places in a worker. No
 * configured queue has its name: the configuration refuses names that begin as those of webhooks do.
 */
export interface OwnQueue {
  readonly name: string;
  readonly concurrency: number;
  readonly rests: Rests;
  /** Whether its jobs are rows whatever the default driver is: the database itself writes some of them. */
  readonly isStored?: boolean;
}

/** A change and the jobs that it asks for, committed together (a transactional outbox). */
export interface Work {
  readonly statements?: readonly Statement[];
  readonly jobs?: readonly Job[];
}

/** The one way in which a change that asks for jobs is committed. */
export interface UnitOfWork {
  /** Commits the work. The results are only those of `statements`. Rejects on a bad job before anything is written. */
  commit(work: Work): Promise<BatchResult>;
}

/** The consuming side, for drivers that a worker polls. A lease that runs out makes the job claimable again. */
export interface JobSource {
  /** How many jobs of this queue a worker runs at once. Absent where the queue shares the worker's places with the other queues. */
  readonly concurrency?: number | undefined;
  /** Leases the jobs that have waited longest to this caller, and returns them. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedJob[]>;
  /** Keeps the lease of a job still in hand; false when it was lost. */
  extend(id: string, attempt: number, leaseMs: number): Promise<boolean>;
  /** Ends the job. False when the lease was lost, and with it the right to report. */
  complete(id: string, attempt: number): Promise<boolean>;
  /** Schedules a retry with backoff, `retry` permitting, or makes the job a dead letter when its attempts or its time are spent. */
  fail(id: string, attempt: number, error: string, retry?: Retry): Promise<"retry" | "dead" | "lost">;
  /** Hands an unfinished job back, so that another worker may take it at once; the attempt does not count. */
  release(id: string, attempt: number): Promise<boolean>;
  /** Calls `wake` when a job may have come, so that nobody waits for the next poll. Absent where the driver can't tell. */
  listen?(wake: () => void): void;
  /**
   * Returns how long a worker may rest that has just claimed all there was: while the driver wakes the worker, until the next job is due.
   * Absent where workers just poll.
   */
  restMs?(pollMs: number): Promise<number>;
  depth(): Promise<QueueDepth>;
}

/** Begins to call `wake` whenever another process may have committed jobs. */
export type JobNotices = (wake: () => void) => { stop(): Promise<void> };

export interface QueueMetrics {
  enqueued(job: string): void;
  started(job: string): void;
  ended(job: string, end: AttemptEnd): void;
  /** Called when a job became a dead letter although no attempt has reported a failure. */
  buried(job: string): void;
}

/** Takes what a driver can't report to its caller. */
export type QueueLog = LogOn<"info" | "warn" | "error">;
