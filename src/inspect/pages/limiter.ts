import type { Config } from "../../config/index.ts";
import type { Clock, Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";

interface LimiterOptions {
  /** Those of logins. */
  readonly config: Pick<Config["auth"], "lockout" | "loginRateLimit">;
  readonly clock: Clock;
}

interface Tally {
  attempts: number;
  windowEndsAt: Millis;
  failures: number;
  /** A streak of failures is forgotten then, and a lock lifted. */
  failuresEndAt: Millis;
}

const mostAddresses = 10_000;
const everyoneElse = "";

/**
 * Limits guesses at a secret as those at a password are (CONTRACT §4), by address. In memory, for an operator signs in when
 * the database is down too: each process counts for itself.
 */
export function createLimiter({ config, clock }: LimiterOptions) {
  const { lockout, loginRateLimit } = config;
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
    /** Throws `rate_limited` or `account_locked` without asking `isRight`; the same when this failure was the last one allowed. */
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
