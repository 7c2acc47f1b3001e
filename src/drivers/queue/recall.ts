import { hour, minute, type Clock, type Millis } from "../../core/clock.ts";
import { mostSkewMs } from "../../core/clock.trust.ts";
import type { createJobRepository } from "./job.repository.ts";

/** No failed job rests for longer, whatever its handler asks for. */
export const longestRestMs = 24 * hour;

interface RecallOptions {
  readonly jobs: Pick<ReturnType<typeof createJobRepository>, "recallWaiting" | "leasedBeyond" | "endLease">;
  readonly clock: Clock;
  readonly monotonic: () => Millis;
}

const everyMs = minute;

/**
 * Takes back what a clock wrote that was ahead: jobs that wait for a time, or are leased until one, that lies further ahead than it can.
 * Nobody would take them until then. Looks once a minute. Delays and rests may get lost, jobs do not.
 */
export function createRecall({ jobs, clock, monotonic }: RecallOptions) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let leases: ReadonlyMap<string, Millis> = new Map();

  return async (leaseMs: Millis): Promise<void> => {
    if (monotonic() - lookedAt < everyMs) return;
    lookedAt = monotonic();
    const now = clock.now();
    const horizon = now + mostSkewMs;
    await jobs.recallWaiting({ now, horizon, restHorizon: horizon + longestRestMs });
    const found = await jobs.leasedBeyond(horizon + leaseMs);
    // A process renews the lease of a job in hand several times a minute: a lease that stays as it was belongs to no live process.
    for (const { id, leasedUntil } of found)
      if (leases.get(id) === leasedUntil) await jobs.endLease(id, leasedUntil, now);
    leases = new Map(found.map(({ id, leasedUntil }) => [id, leasedUntil]));
  };
}
