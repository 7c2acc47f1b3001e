import type { Clock } from "../core/clock.ts";
import type { Schedule, StaleRows } from "../core/module.ts";
import { inSteps } from "../core/steps.ts";
import type { Log } from "../observe/index.ts";

interface CleanupOptions {
  /** Of all modules of the app. */
  readonly stale: readonly StaleRows[];
  readonly clock: Clock;
  readonly log: Log;
}

/** `auth:cleanup`: every five minutes, deletes the rows that the modules call stale, in small steps. */
export const createCleanup = ({ stale, clock, log }: CleanupOptions): Schedule => ({
  name: "auth:cleanup",
  cron: "*/5 * * * *",
  async run(signal) {
    const now = clock.now();
    const deleted: Record<string, number> = {};
    for (const { name, deleteSome } of stale) deleted[name] = await inSteps((limit) => deleteSome(now, limit), signal);
    log.info("stale rows deleted", deleted);
  },
});
