import { hour, minute, type Clock, type Millis } from "../../../core/clock.ts";
import { mostSkewMs } from "../../../core/clock.trust.ts";
import type { createJobRepository } from "./job.repository.ts";

/** The longest rest of a failed job, whatever its handler asks for. */
export const longestRestMs = 24 * hour;

interface RecallOptions {
  readonly jobs: Pick<ReturnType<typeof createJobRepository>, "recallWaiting" | "leasedBeyond" | "endLease">;
  readonly clock: Clock;
  readonly monotonic: () => Millis;
}

const everyMs = minute;

/**
 * Takes back times that a clock wrote which was ahead: jobs that wait or are leased until later than a right clock could have said. Nobody
 * takes such a job until then. Looks once a minute. Delays and rests may get lost, jobs do not.
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
