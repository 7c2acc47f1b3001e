import { minute } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";

/** A check that took longer was held up by other work, and says nothing about its hash. */
const mostMs = 3_000;
/** How much of the longest time is kept after each check that took less. */
const forgetting = 0.95;
/** How often a process that knows of no foreign hash asks whether there are any now. */
const askAgainMs = minute;

interface PaceOptions {
  /** Checks one of the hashes that other systems have made, if there are any, and calls `learn`. */
  readonly tryOne: () => Promise<void>;
  readonly log: Log;
  /** Returns milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * Makes refusals take the same time, whatever kind of hash an account has. A bcrypt hash from another system takes ten times as long to
 * check as one of our own: a late answer would tell that the account exists, and that nobody has signed in to it since it was imported. A
 * refusal therefore waits until the slowest of the last checks of such hashes would have been done. It waits without a place among those
 * that hash, so that it keeps nobody else waiting.
 */
export function createEvenPace({ tryOne, log, now = () => performance.now(), sleep = Bun.sleep }: PaceOptions) {
  let slowestMs = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> = Promise.resolve();

  /** Resolves once this process knows how long the check of a foreign hash takes, where there is any. */
  function know(): Promise<void> {
    if (slowestMs > 0 || now() - askedAt < askAgainMs) return asking;
    askedAt = now();
    asking = tryOne().catch((error: unknown) => {
      log.warn("how long the hashes of other systems take to check could not be found out", { error });
    });
    return asking;
  }

  return {
    learn(tookMs: number): void {
      slowestMs = Math.min(mostMs, Math.max(tookMs, slowestMs * forgetting));
    },

    /** Resolves once a refusal after a check of this length may be answered. */
    async keep(tookMs: number): Promise<void> {
      await know();
      if (tookMs < slowestMs) await sleep(slowestMs - tookMs);
    },
  };
}
