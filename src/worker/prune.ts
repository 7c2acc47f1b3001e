import { hour } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import type { DeadLetters } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";

interface PruneOptions {
  readonly deadLetters: DeadLetters;
  readonly retentionMs: number;
  readonly ages: AgeClock;
  readonly log: Log;
}

/** Longer than workers are ever stopped on purpose. */
const forgottenMs = 7 * 24 * hour;

/**
 * `queue:prune`: daily, deletes old dead letters, and makes new ones of jobs that nobody takes because their queue is configured
 * no longer. A job that ended well leaves no row behind.
 */
export const createQueuePrune = ({ deadLetters, retentionMs, ages, log }: PruneOptions): Schedule => ({
  name: "queue:prune",
  cron: "50 4 * * *",
  run: (signal) =>
    byAge(ages, async (now) => {
      const forgotten = await deadLetters.buryForgotten(now - forgottenMs, signal);
      if (forgotten > 0) log.error("jobs were taken by no worker for a week: see queue:failed", { jobs: forgotten });
      log.info("old dead letters deleted", { jobs: await deadLetters.prune(now - retentionMs, signal) });
    }),
});
