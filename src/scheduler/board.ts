import type { Clock, Millis } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { nextTick } from "./cron.ts";
import { cronInWords } from "./cron.words.ts";
import { createScheduleRepository, type RunRow, type ScheduleRow } from "./schedule.repository.ts";

/** A schedule as a process sees it that may not be the one that runs it. */
export interface ScheduleState extends Omit<ScheduleRow, "lockedUntil"> {
  /** How often it comes, in words; undefined for an unusual expression. */
  readonly often: string | undefined;
  readonly nextRunAt: Millis;
  readonly isRunning: boolean;
  /** Newest first. */
  readonly runs: readonly RunRow[];
}

/** The schedules of whichever process runs them, by what it has stored: none before one has started. */
export function createScheduleBoard({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const rows = createScheduleRepository(database);
  return {
    async list(): Promise<readonly ScheduleState[]> {
      const now = clock.now();
      const runs = Map.groupBy(await rows.history(now), ({ name }) => name);
      return (await rows.list()).map(({ lockedUntil, ...row }) => ({
        ...row,
        often: cronInWords(row.cron),
        nextRunAt: nextTick(row, now),
        isRunning: (lockedUntil ?? 0) > now,
        runs: runs.get(row.name) ?? [],
      }));
    },
    /** Statements for the batch that also says who asked. */
    request: (name: string, userId: string) => rows.request(name, userId, clock.now()),
    withdraw: rows.withdraw,
  };
}

export type ScheduleBoard = ReturnType<typeof createScheduleBoard>;
