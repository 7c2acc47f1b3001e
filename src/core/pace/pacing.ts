import { second, type Millis } from "../clock.ts";
import { AppError } from "../errors.ts";

interface PacingOptions {
  readonly perSecond: number;
  readonly longestWaitMs: number;
}

/** How much of a pause may be caught up on at once: a short burst does not wait. */
const burstMs = 100;
const mostKeys = 10_000;

/**
 * Lets `perSecond` requests of each key go on, and has others wait in line. A caller that asks without a pause is slowed down by the
 * answers alone, and takes no more of the processor from others than that many requests cost.
 */
export function createPacing({ perSecond, longestWaitMs }: PacingOptions) {
  const spacingMs = second / perSecond;
  /** When the next request of a key may go on, by a clock that nobody sets. */
  const next = new Map<string, Millis>();

  /** Returns the line of a key. Keys beyond the bound share one line. */
  function lineOf(key: string, now: Millis): string {
    if (next.has(key) || next.size < mostKeys) return key;
    for (const [other, at] of next) if (at <= now) next.delete(other);
    return next.size < mostKeys ? key : "";
  }

  /** Resolves when it is the caller's turn. Throws `rate_limited` where the line is too long. */
  return async function waitTurn(key: string): Promise<void> {
    const now = performance.now();
    const line = lineOf(key, now);
    const at = Math.max(now - burstMs, next.get(line) ?? Number.NEGATIVE_INFINITY);
    const waitMs = at - now;
    if (waitMs > longestWaitMs) throw new AppError("rate_limited", { retryAfterSeconds: Math.ceil(waitMs / second) });
    next.set(line, at + spacingMs);
    if (waitMs >= 1) await Bun.sleep(waitMs);
  };
}
