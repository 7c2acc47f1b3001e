import type { Schedule } from "../core/module.ts";
import type { DeadLetters } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";

interface PruneOptions {
  readonly deadLetters: DeadLetters;
  readonly retentionMs: number;
  readonly log: Log;
}

/** `queue:prune`: daily. A job that is done leaves no row; a dead letter stays until an operator had time to look at it. */
export const createQueuePrune = ({ deadLetters, retentionMs, log }: PruneOptions): Schedule => ({
  name: "queue:prune",
  cron: "50 4 * * *",
  async run(signal) {
    log.info("dead letters pruned", { jobs: await deadLetters.prune(retentionMs, signal) });
  },
});
