import type { Clock, Millis } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Job } from "../../core/job.ts";
import type { Database } from "../database/index.ts";
import { retryDelayMs } from "./backoff.ts";
import { createDispatchedClaim, type Dispatcher } from "./dispatcher.ts";
import type { ClaimedJob, JobSource, Queue, Rests } from "./index.ts";
import { createJobRepository, type NewJobRow } from "./job.repository.ts";
import { createRecall, longestRestMs } from "./recall.ts";
import { decodePayload, encodeJob } from "./payload.ts";

export interface DatabaseQueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: () => Millis;
  /** The app that the jobs belong to. Apps share the table; each takes its own jobs alone. */
  readonly app: string;
  readonly name: string;
  /** Attempts before a job is left to an operator. */
  readonly maxAttempts: number;
  /** How many of its jobs a worker runs at once. Without it the queue shares the worker's places with the others. */
  readonly concurrency?: number | undefined;
  readonly rests?: Rests | undefined;
  /** Called after jobs were accepted: a worker in this process need not wait for its next poll. */
  readonly onEnqueue?: () => void;
  /** Says which jobs are taken next. Without it a worker asks the table. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called for a job that became a dead letter although no attempt at it failed here. */
  readonly onBury?: (job: string) => void;
  /** Spreads retries; in [0, 1). */
  readonly random?: () => number;
}

export interface DatabaseQueue extends Queue, JobSource {}

const maxErrorLength = 500;

/**
 * Jobs in the application's own database: a job and the rows that it belongs to commit together, or not at all. The row is the job
 * until it is done, whoever tells a worker of it.
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
    dispatcher,
    onEnqueue,
    onBury,
    random = Math.random,
  } = options;
  const rows = createJobRepository(database, { queue: name, app });
  const recall = createRecall({ jobs: rows, clock, monotonic });
  const take =
    dispatcher === undefined
      ? (limit: number, leaseMs: number) => rows.claim(limit, clock.now() + leaseMs, clock.now())
      : createDispatchedClaim({ jobs: rows, app, dispatcher, clock });

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
    ...(dispatcher === undefined
      ? { driver: "database" }
      : { driver: "redis", reachWorkers: dispatcher.ping, listen: dispatcher.listen }),
    name,
    concurrency: options.concurrency,
    accept(jobs) {
      const accepted = jobs.map(rowOf);
      return {
        statements: accepted.map(rows.insert),
        async deliver() {
          if (accepted.length === 0) return;
          void dispatcher?.hand(accepted);
          onEnqueue?.();
        },
      };
    },

    async claim(limit, leaseMs) {
      await recall(leaseMs);
      const claimed: ClaimedJob[] = [];
      for (const row of await take(limit, leaseMs)) {
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
            acceptedAt: row.created_at,
            traceId: row.trace_id ?? undefined,
          });
          continue;
        }
        // No retry would make it readable.
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
      // Counted from the last time that it was given all its attempts, which an operator may do again and again.
      const rested =
        now + Math.max(Math.min(retry, longestRestMs), retryDelayMs(Math.max(1, maxAttempts - left), random(), rests));
      // The last attempt of a job that has a time is made when the time is up.
      const retryAt = retryUntil === null ? rested : Math.min(rested, retryUntil);
      const state = await rows.fail(id, attempt, lastError, retryAt, now);
      if (state === undefined) return "lost";
      if (state === "dead") return "dead";
      void dispatcher?.hand([{ id, app, availableAt: retryAt }]);
      return "retry";
    },

    async release(id, attempt) {
      const isReleased = await rows.release(id, attempt);
      if (isReleased) void dispatcher?.hand([{ id, app, availableAt: clock.now() }]);
      return isReleased;
    },
    depth: () => rows.depth(clock.now()),
  };
}
