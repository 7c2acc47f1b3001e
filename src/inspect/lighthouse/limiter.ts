import type { Config } from "../../config/index.ts";
import type { Clock, Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";

interface Tally {
  attempts: number;
  windowEndsAt: Millis;
  failures: number;
  /** When the failures, and a lock with them, are forgotten. */
  failuresEndAt: Millis;
}

const mostAddresses = 10_000;
/** The key of one common tally for all addresses that find no room. */
const everyoneElse = "";

/**
 * Limits guesses at a secret by address, by the limits of logins. Counts in memory, because an operator signs in even when the database is
 * down: each process counts for itself.
 */
export function createLimiter({ lockout, loginRateLimit }: Config["auth"], clock: Clock) {
  const tallies = new Map<string, Tally>();

  function tallyOf(address: string, now: Millis): Tally {
    const known = tallies.get(address);
    if (known !== undefined) {
      if (known.windowEndsAt <= now)
        Object.assign(known, { attempts: 0, windowEndsAt: now + loginRateLimit.durationMs });
      if (known.failuresEndAt <= now) known.failures = 0;
      return known;
    }
    if (tallies.size >= mostAddresses) {
      for (const [key, { windowEndsAt, failuresEndAt }] of tallies)
        if (windowEndsAt <= now && failuresEndAt <= now) tallies.delete(key);
      if (tallies.size >= mostAddresses && address !== everyoneElse) return tallyOf(everyoneElse, now);
    }
    const fresh = { attempts: 0, windowEndsAt: now + loginRateLimit.durationMs, failures: 0, failuresEndAt: now };
    tallies.set(address, fresh);
    return fresh;
  }

  const until = (at: Millis, now: Millis) => ({ retryAfterSeconds: Math.max(1, Math.ceil((at - now) / 1000)) });

  return {
    /**
     * Whether the guess was right. Throws `rate_limited` or `account_locked` where no more guesses are allowed: either without calling
     * `isRight`, or because this guess was wrong and the last one.
     */
    attempt(address: string, isRight: () => boolean): boolean {
      const now = clock.now();
      const tally = tallyOf(address, now);
      if (tally.attempts >= loginRateLimit.attempts) throw new AppError("rate_limited", until(tally.windowEndsAt, now));
      if (tally.failures >= lockout.attempts) throw new AppError("account_locked", until(tally.failuresEndAt, now));
      if (isRight()) {
        tallies.delete(address);
        return true;
      }
      tally.attempts += 1;
      tally.failures += 1;
      tally.failuresEndAt = now + lockout.durationMs;
      if (tally.failures >= lockout.attempts) throw new AppError("account_locked", until(tally.failuresEndAt, now));
      return false;
    },
  };
}
