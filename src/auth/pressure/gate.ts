import { second, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../drivers/database/index.ts";
import {
  countedOnly,
  isLive,
  secondsBetween,
  type AttemptRepository,
  type AttemptRow,
  type Counter,
} from "./attempt.repository.ts";
import { isAnybody, type Check, type Counters } from "./counters.ts";

interface GateOptions {
  readonly attempts: Pick<AttemptRepository, "add">;
  readonly database: Pick<Database, "run">;
  readonly clock: Clock;
}

/** The longest time of a check. One that has neither succeeded nor failed by then was cut off with its process, and counts as failed. */
export const longestCheckMs = 5 * second;

export const overloaded = (): AppError => new AppError("overloaded", { retryAfterSeconds: 1 });

/** Refuses checks that counters rule out, before anything is charged. */
export function createGate({ attempts, database, clock }: GateOptions) {
  const liveOf = (rows: readonly AttemptRow[], counter: Counter): AttemptRow | undefined =>
    rows.find((row) => row.key === counter.key && isLive(row, counter, clock.now()));
  const fullOf = (rows: readonly AttemptRow[], counter: Counter): AttemptRow | undefined => {
    const row = liveOf(rows, counter);
    return row !== undefined && row.attempts >= counter.limit ? row : undefined;
  };
  const limited = (row: AttemptRow, userId: string | undefined, flaw?: "address_limited"): AppError =>
    new AppError("rate_limited", {
      retryAfterSeconds: secondsBetween(clock.now(), row.expiresAt),
      userId,
      ...(flaw && { flaw }),
    });

  /** Refuses a check for the failures of the client's address, and of the blocks around it. */
  function refuseAddress({ address, areas }: Counters, rows: readonly AttemptRow[], check: Check): void {
    const overAddress = address && fullOf(rows, address);
    if (address !== undefined && overAddress !== undefined) {
      // Some of the charged attempts may yet turn out to be right.
      if (overAddress.failures < address.limit) throw overloaded();
      throw limited(overAddress, check.userId, "address_limited");
    }
    if (!isAnybody(check)) return;
    const [last] = areas.flatMap((area) => fullOf(rows, area) ?? []).toSorted((a, b) => b.expiresAt - a.expiresAt);
    if (last !== undefined) throw limited(last, check.userId, "address_limited");
  }

  return {
    isUsedUp: (rows: readonly AttemptRow[], counter: Counter): boolean => fullOf(rows, counter) !== undefined,

    /**
     * Throws where a counter is full. Returns true when the lock is full of checks that are still under way: any of them may yet clear it,
     * and the new check waits for room, since right passwords that reach several processes at once are no attack.
     */
    async refuseFull(
      counters: Counters,
      rows: readonly AttemptRow[],
      { check, isLastAsk }: { readonly check: Check; readonly isLastAsk: boolean },
    ): Promise<boolean> {
      const { lock, rate, isRateKept } = counters;
      const { userId } = check;
      const now = clock.now();
      const overRate = fullOf(rows, rate);
      if (overRate !== undefined) throw limited(overRate, userId);
      refuseAddress(counters, rows, check);
      const locked = fullOf(rows, lock);
      if (locked === undefined) return false;
      const chargedAt = locked.expiresAt - lock.durationMs;
      if (locked.failures < lock.limit && chargedAt + longestCheckMs > now && !isLastAsk) return true;
      const counted = liveOf(rows, rate);
      // Answers to a challenge that takes no more must not use up the tries of its account.
      if (counted !== undefined && isRateKept !== true) {
        const { sql, params } = attempts.add(rate, now);
        // Requests at the same time may have filled the counter.
        if ((await database.run(sql, params, countedOnly)).changes === 0) throw limited(counted, userId);
      }
      throw new AppError("account_locked", { retryAfterSeconds: secondsBetween(now, locked.expiresAt), userId });
    },
  };
}
