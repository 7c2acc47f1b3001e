import type { Clock } from "../core/clock.ts";
import type { Schedule, StaleRows } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { Log } from "../observe/index.ts";

interface CleanupOptions {
  /** Of all modules of the app. */
  readonly stale: readonly StaleRows[];
  readonly clock: Clock;
  readonly log: Log;
}

interface CleanupRun {
  readonly signal: AbortSignal;
  /** Called with how many rows are deleted so far. */
  readonly onDeleted?: (rows: number) => void;
}

/** Rows by what they are called, such as `expired_sessions`. */
export type RowCounts = Readonly<Record<string, number>>;

/** Deletes the rows that the modules call stale, in small steps. */
export function createCleanup({ stale, clock, log }: CleanupOptions) {
  async function deleteAll({ signal, onDeleted }: CleanupRun): Promise<RowCounts> {
    const now = clock.now();
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
    deleteAll,

    /** What `deleteAll` would delete now. */
    async count(): Promise<RowCounts> {
      const now = clock.now();
      const found: Record<string, number> = {};
      for (const { name, count } of stale) found[name] = await count(now);
      return found;
    },

    /** `auth:cleanup`: every five minutes. */
    schedule: {
      name: "auth:cleanup",
      cron: "*/5 * * * *",
      run: async (signal) => log.info("stale rows deleted", await deleteAll({ signal })),
    } satisfies Schedule,
  };
}
