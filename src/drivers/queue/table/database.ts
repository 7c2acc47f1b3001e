import { second, type Clock, type Millis } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import type { Job } from "../../../core/job.ts";
import type { Database } from "../../database/index.ts";
import { retryDelayMs } from "../backoff.ts";
import type { ClaimedJob, JobSource, Queue, Rests } from "../index.ts";
import { createJobRepository, type NewJobRow } from "./job.repository.ts";
import { createRecall, longestRestMs } from "./recall.ts";
import { decodePayload, encodeJob } from "../payload.ts";
import type { Waker } from "../waker/waker.ts";

export interface DatabaseQueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: () => Millis;
  /** The app that the jobs belong to. Apps share the table; each takes only its own jobs. */
  readonly app: string;
  readonly name: string;
  /** Attempts before a job is left to an operator. */
  readonly maxAttempts: number;
  /** How many jobs of this queue a worker runs at once. Without it the queue shares the worker's places with the other queues. */
  readonly concurrency?: number | undefined;
  readonly rests?: Rests | undefined;
  /** Called after jobs were accepted: a worker in this process need not wait for its next poll. */
  readonly onEnqueue?: (() => void) | undefined;
  /** Wakes workers when a job has come. Without it they poll the table. */
  readonly waker?: Waker | undefined;
  /** Called for a job that became a dead letter although no attempt at it failed in this process. */
  readonly onBury?: ((job: string) => void) | undefined;
  /** Spreads retries; returns a number in [0, 1). */
  readonly random?: () => number;
}

export interface DatabaseQueue extends Queue, JobSource {}

const maxErrorLength = 500;
/** A worker that is woken polls the table this often all the same: a lost wake costs time and no job. */
const longestIdleMs = 30 * second;
/** The shortest rest, for a job that another worker is just taking, so that nobody polls in a tight loop. */
const shortestIdleMs = 10;

/**
 * Jobs in the application's own database: a job and the rows that it belongs to commit together, or not at all. The row is the job
 * until it is done, and a waker changes nothing but how soon a worker asks for it.
 */
export function createDatabaseQueue(options: DatabaseQueueOptions): DatabaseQueue {
  const {
    database,
    clock,
    monotonic = () => performance.now(),
    app,
    name,
    maxAttempts,
    rests,
    waker,
    onEnqueue,
    onBury,
    random = Math.random,
  } = options;
  const rows = createJobRepository(database, { queue: name, app });
  const recall = createRecall({ jobs: rows, clock, monotonic });
  const own = new Set([app]);

  /** Wakes tell only of new jobs. A job that rests, or is in the hands of a worker that may have died, has its time in the table. */
  async function restMs({ hears }: Waker, pollMs: number): Promise<number> {
    if (!hears()) return pollMs;
    const now = clock.now();
    const dueAt = (await rows.nextDueAt(now)) ?? Number.POSITIVE_INFINITY;
    return Math.min(longestIdleMs, Math.max(shortestIdleMs, dueAt - now));
  }

  const rowOf = (job: Job): NewJobRow => {
    const now = clock.now();
    const payload = encodeJob(job);
    const availableAt = now + (job.delayMs ?? 0);
    return {
      id: newId(),
      app: job.app ?? app,
      name: job.name,
      payload,
      maxAttempts,
      traceId: job.traceId ?? null,
      retryForMs: job.retryForMs ?? null,
      retryUntil: job.retryForMs === undefined ? null : availableAt + job.retryForMs,
      availableAt,
      now,
    };
  };

  return {
    driver: waker === undefined ? "database" : "redis",
    ...(waker && {
      reachWorkers: waker.check,
      wake: (ofApp) => waker.tell(new Set([ofApp])),
      listen: waker.listen,
      restMs: (pollMs) => restMs(waker, pollMs),
    }),
    name,
    concurrency: options.concurrency,
    accept(jobs) {
      const accepted = jobs.map(rowOf);
      return {
        statements: accepted.map(rows.insert),
        async deliver() {
          if (accepted.length === 0) return;
          waker?.tell(new Set(accepted.map((job) => job.app)));
          onEnqueue?.();
        },
      };
    },

    async claim(limit, leaseMs) {
      await recall(leaseMs);
      const claimed: ClaimedJob[] = [];
      for (const row of await rows.claim(limit, clock.now() + leaseMs, clock.now())) {
        if (row.state === "dead") {
          onBury?.(row.name);
          continue;
        }
        const payload = decodePayload(row.payload);
        if (payload !== undefined) {
          claimed.push({
            id: row.id,
            name: row.name,
            payload,
            attempt: row.attempts,
            acceptedAt: row.createdAt,
            traceId: row.traceId ?? undefined,
          });
          continue;
        }
        // A retry can't make the payload readable.
        if (await rows.bury(row.id, row.attempts, "the stored payload is not readable", clock.now()))
          onBury?.(row.name);
      }
      return claimed;
    },

    ping: () => rows.probe(),

    extend: (id, attempt, leaseMs) => rows.extend(id, attempt, clock.now() + leaseMs),
    complete: (id, attempt) => rows.remove(id, attempt),

    async fail(id, attempt, error, retry = 0) {
      const now = clock.now();
      const lastError = error.slice(0, maxErrorLength);
      if (retry === "never") return (await rows.bury(id, attempt, lastError, now)) ? "dead" : "lost";
      const { left, retryUntil } = (await rows.prospects(id)) ?? { left: 0, retryUntil: null };
      // Attempts count from the last time that the job was given all its attempts, which an operator may do again and again.
      const rested =
        now + Math.max(Math.min(retry, longestRestMs), retryDelayMs(Math.max(1, maxAttempts - left), random(), rests));
      // A job with a deadline has its last attempt at the deadline.
      const retryAt = retryUntil === null ? rested : Math.min(rested, retryUntil);
      const state = await rows.fail(id, attempt, lastError, retryAt, now);
      if (state === undefined) return "lost";
      if (state === "dead") return "dead";
      waker?.tell(own);
      return "retry";
    },

    async release(id, attempt) {
      const isReleased = await rows.release(id, attempt);
      if (isReleased) waker?.tell(own);
      return isReleased;
    },
    depth: () => rows.depth(clock.now()),
  };
}
