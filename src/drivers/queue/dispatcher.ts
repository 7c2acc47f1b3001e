import type { Clock, Millis } from "../../core/clock.ts";
import type { createJobRepository, JobPlace, JobRow } from "./job.repository.ts";

/** A stored job of an app, and when it is due. */
export interface DueJob extends JobPlace {
  readonly app: string;
}

/**
 * Tells workers which of the stored jobs to take next. It may lose a job or name it twice: the row decides who has a job, and a job
 * that is due and that nobody takes is handed over again.
 */
export interface Dispatcher {
  /** For so long a job may be due before it counts as lost. */
  readonly graceMs: number;
  /** How often lost jobs are looked for. */
  readonly sweepMs: number;
  /** Never rejects. Resolves once the jobs were handed over, or have to be handed over again. */
  hand(jobs: readonly DueJob[]): Promise<void>;
  /** The ids of jobs that are due; each is told once. Rejects when the dispatcher does not answer. */
  next(limit: number): Promise<readonly string[]>;
  /** Calls `wake` when a job may have come. */
  listen(wake: () => void): void;
  /** Rejects when the dispatcher does not answer. */
  ping(): Promise<void>;
}

interface DispatchedClaimOptions {
  readonly jobs: Pick<ReturnType<typeof createJobRepository>, "claimNamed" | "overdue">;
  readonly app: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

const rowsASweep = 500;
/** How often a claim asks again, where what it was told of is done or in hand. */
const mostRounds = 20;
/** By so much the clocks of hosts may differ: a job that is due by another one's is taken by this one's too. */
const clocksDifferMs = 250;
const start: JobPlace = { id: "", availableAt: 0 };

/** Leases the jobs that a dispatcher names. Every few seconds it hands over again what is due and was not taken. */
export function createDispatchedClaim({ jobs, app, dispatcher, clock }: DispatchedClaimOptions) {
  let sweptAt = Number.NEGATIVE_INFINITY;
  let place = start;

  /** Some of the overdue jobs, and with the next sweep those after them: a long queue costs no more than a short one. */
  async function sweep(now: Millis): Promise<void> {
    sweptAt = now;
    const overdue = await jobs.overdue({ before: now - dispatcher.graceMs, after: place, limit: rowsASweep });
    place = (overdue.length === rowsASweep ? overdue.at(-1) : undefined) ?? start;
    await dispatcher.hand(overdue.map((job) => ({ ...job, app })));
  }

  async function next(limit: number): Promise<readonly string[]> {
    const now = clock.now();
    if (Math.abs(now - sweptAt) >= dispatcher.sweepMs) await sweep(now);
    const ids = await dispatcher.next(limit);
    // Nothing is named though more is overdue than one sweep takes: the dispatcher has lost them all.
    if (ids.length > 0 || place === start) return ids;
    await sweep(now);
    return dispatcher.next(limit);
  }

  /** A dispatcher that does not answer was handed nothing meanwhile either: the claim after that looks for lost jobs at once. */
  async function nextOrSweepSoon(limit: number): Promise<readonly string[]> {
    try {
      return await next(limit);
    } catch (error) {
      sweptAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  return async (limit: number, leaseMs: number): Promise<readonly JobRow[]> => {
    const claimed: JobRow[] = [];
    for (let round = 0; round < mostRounds && claimed.length < limit; round += 1) {
      const ids = await nextOrSweepSoon(limit - claimed.length);
      const now = clock.now();
      const rows = await jobs.claimNamed(ids, now + clocksDifferMs, now + leaseMs, now);
      claimed.push(...rows);
      // Jobs that are done or in hand already may have been named twice, and others wait behind them.
      if (rows.length === ids.length) break;
    }
    return claimed;
  };
}
