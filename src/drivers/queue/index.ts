import type { Millis } from "../../core/clock.ts";
import type { By } from "../../core/audit.ts";
import type { AttemptEnd, Job, JobPayload, Retry } from "../../core/job.ts";
import type { BatchResult, Statement } from "../database/index.ts";

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

export interface QueueDepth {
  /** Jobs that can be claimed now. */
  readonly ready: number;
  /** Jobs that wait for their time: delayed, or backing off after a failure. */
  readonly delayed: number;
  readonly leased: number;
  /** Jobs that are out of attempts, kept for an operator. */
  readonly dead: number;
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

/** A job that used up its attempts. */
export interface DeadJob {
  readonly id: string;
  /** The app whose workers have tried it. */
  readonly app: string;
  readonly queue: string;
  readonly name: string;
  readonly attempts: number;
  readonly createdAt: Millis;
  readonly failedAt: Millis;
  /** The error of the last attempt, in the words of its handler: redact it before it is shown. */
  readonly error: string;
}

/** A job that waits for an attempt or is in hand, as its row says. */
export interface StoredJob {
  readonly id: string;
  readonly app: string;
  readonly queue: string;
  readonly name: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** The deadline until which the job is tried, however often that is; null where its attempts are counted. */
  readonly retryUntil: Millis | null;
  readonly createdAt: Millis;
  readonly availableAt: Millis;
  readonly leasedUntil: Millis | null;
  readonly lastError: string | null;
}

interface OfQueue {
  readonly queue: string;
  readonly app: string;
  readonly now: Millis;
}

/** The stored jobs of every queue and app, for people to look at. */
export interface JobBoard {
  /** Returns the names of the queues that hold a job of any app. */
  queues(): Promise<readonly string[]>;
  /** Returns how many jobs are in each state; each number stops at `most`. */
  depth(options: OfQueue & { readonly most: number }): Promise<QueueDepth>;
  /** Returns jobs that a worker has in hand, the latest taken first. */
  running(now: Millis, limit: number): Promise<readonly StoredJob[]>;
  /** Returns jobs that wait, the first due first. */
  waiting(options: OfQueue & { readonly limit: number }): Promise<readonly StoredJob[]>;
  /** Returns the names of the dead letters, with how many of the latest `most` each has. */
  deadNames(most: number): Promise<readonly { readonly name: string; readonly count: number }[]>;
}

/** An act that makes dead letters due again. */
export interface RetryOfDead {
  /** The name of the job; undefined for jobs of all names. */
  readonly job: string | undefined;
  readonly count: number;
  readonly by: By;
}

/** Acts of an operator on dead jobs, in all queues and of all apps. */
export interface DeadLetters {
  /** Returns dead jobs, the last failed first. */
  list(options: { readonly name?: string | undefined; readonly limit: number }): Promise<readonly DeadJob[]>;
  /** Makes the job due at once, with all its attempts and all its time again. False when there is no dead job of that id. */
  retry(id: string, by?: By): Promise<boolean>;
  /** Retries every dead job, or those of that name, at most `most`. Resolves to how many there were. */
  retryAll(name?: string, options?: { readonly by?: By; readonly most?: number }): Promise<number>;
  /** Makes dead letters of jobs that have been due since `since` and that no worker takes. Resolves to how many there were. */
  buryForgotten(since: Millis, signal?: AbortSignal): Promise<number>;
  /** Deletes the dead jobs that failed before `before`. Resolves to how many there were. */
  prune(before: Millis, signal?: AbortSignal): Promise<number>;
}

/** A field of a job's payload with the text in it; upper and lower case count as the same. */
export interface PayloadField {
  readonly field: string;
  readonly value: string;
}

export interface MentionedJob {
  readonly name: string;
  /** `pending`, or `dead` for a job that is kept for an operator. */
  readonly state: string;
  readonly attempts: number;
  readonly createdAt: Millis;
}

/** Stored jobs that have one of these fields in their payload. A worker that has such a job in hand loses its lease when it is dropped. */
export interface JobMentions {
  /** Returns the jobs, newest first, at most 100. */
  list(fields: readonly PayloadField[]): Promise<readonly MentionedJob[]>;
  /** Returns which of these jobs have not come to an end: they wait for an attempt, or are in hand. */
  pending(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes the jobs, in the batch of the change after which nobody needs them. */
  drop(fields: readonly PayloadField[]): Statement;
}

/** Counts jobs by name; the application's metrics satisfy it. */
export interface QueueMetrics {
  enqueued(job: string): void;
  started(job: string): void;
  ended(job: string, end: AttemptEnd): void;
  /** Called when a job became a dead letter although no attempt has reported a failure. */
  buried(job: string): void;
}

/** Takes what a driver can't report to its caller; the application's log satisfies it. */
export interface QueueLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
