import type { Millis } from "../../../core/clock.ts";
import { computed, tableOf } from "../../database/index.ts";

export interface JobRecord {
  readonly id: string;
  readonly queue: string;
  readonly app: string;
  readonly name: string;
  readonly payload: string;
  readonly state: string;
  /** The fence of a lease: it grows with each claim and never goes back. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** How long a job with a deadline is tried, and the deadline itself. */
  readonly retryForMs: number | null;
  readonly retryUntil: Millis | null;
  readonly traceId: string | null;
  readonly createdAt: Millis;
  readonly availableAt: Millis;
  readonly leasedUntil: Millis | null;
  readonly finishedAt: Millis | null;
  readonly lastError: string | null;
}

export const jobColumns = tableOf<JobRecord>("jobs", {
  id: "id",
  queue: "queue",
  app: "app",
  name: "name",
  payload: "payload",
  state: "state",
  attempts: "attempts",
  maxAttempts: "max_attempts",
  retryForMs: "retry_for",
  retryUntil: "retry_until",
  traceId: "trace_id",
  createdAt: "created_at",
  availableAt: "available_at",
  leasedUntil: "leased_until",
  finishedAt: "finished_at",
  lastError: "last_error",
});

export interface QueueDepth {
  /** Jobs that can be claimed now. */
  readonly ready: number;
  /** Jobs that wait for their time: delayed, or backing off after a failure. */
  readonly delayed: number;
  readonly leased: number;
  /** Jobs that are out of attempts, kept for an operator. */
  readonly dead: number;
}

export const depthOf = (counts: Readonly<Record<keyof QueueDepth, string>>) => computed<QueueDepth>(counts);
