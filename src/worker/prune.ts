import type { Schedule } from "../core/module.ts";
import type { DeadLetters } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";

interface PruneOptions {
  readonly deadLetters: DeadLetters;
  readonly retentionMs: number;
  readonly log: Log;
}

/** `queue:prune`: daily, deletes old dead letters. A job that ended well leaves no row behind. */
export const createQueuePrune = ({ deadLetters, retentionMs, log }: PruneOptions): Schedule => ({
  name: "queue:prune",
  cron: "50 4 * * *",
  async run(signal) {
    log.info("old dead letters deleted", { jobs: await deadLetters.prune(retentionMs, signal) });
  },
});
