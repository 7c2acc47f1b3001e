import type { Clock, Millis } from "../../core/clock.ts";
import { type AgeClock, byAge } from "../../core/clock.trust.ts";
import type { Schedule, StaleRows } from "../../core/module.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Log } from "../../observe/index.ts";

interface CleanupOptions {
  readonly stale: readonly StaleRows[];
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
}

interface CleanupRun {
  readonly signal: AbortSignal;
  /** Called with how many rows are deleted so far. */
  readonly onDeleted?: (rows: number) => void;
}

/** Numbers of rows by what the rows are called, such as `expired_sessions`. */
export type RowCounts = Readonly<Record<string, number>>;

export function createCleanup({ stale, clock, ages, log }: CleanupOptions) {
  async function deleteAll(now: Millis, { signal, onDeleted }: CleanupRun): Promise<RowCounts> {
    const deleted: Record<string, number> = {};
    let total = 0;
    for (const { name, deleteSome } of stale) {
      const step = async (limit: number): Promise<number> => {
        const rows = await deleteSome(now, limit);
        total += rows;
        onDeleted?.(total);
        return rows;
      };
      deleted[name] = await inSteps(step, signal);
    }
    return deleted;
  }

  return {
    /** Deletes without asking whether the clock can be trusted: the caller has done so. */
    deleteAll: (run: CleanupRun): Promise<RowCounts> => deleteAll(clock.now(), run),

    /** Returns how many rows `deleteAll` would delete now. */
    async count(): Promise<RowCounts> {
      const now = clock.now();
      const found: Record<string, number> = {};
      for (const { name, count } of stale) found[name] = await count(now);
      return found;
    },

    /** The schedule `auth:cleanup`: every five minutes. */
    schedule: {
      name: "auth:cleanup",
      cron: "*/5 * * * *",
      run: (signal) => byAge(ages, async (now) => log.info("stale rows deleted", await deleteAll(now, { signal }))),
    } satisfies Schedule,
  };
}
