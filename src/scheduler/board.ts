import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { nextTick } from "./cron.ts";
import { createScheduleRepository } from "./schedule.repository.ts";

/** A schedule as any process sees it, even one that does not run it. */
export type ScheduleState = Awaited<ReturnType<ScheduleBoard["list"]>>[number];

/** Shows the schedules by the rows of the process that runs them: none before one has started. */
export function createScheduleBoard({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const rows = createScheduleRepository(database);
  return {
    async list() {
      const now = clock.now();
      const runs = Map.groupBy(await rows.history(now), ({ name }) => name);
      return (await rows.list()).map(({ lockedUntil, ...row }) => ({
        ...row,
        nextRunAt: nextTick(row, now),
        isRunning: (lockedUntil ?? 0) > now,
        /** The last runs, newest first. */
        runs: runs.get(row.name) ?? [],
      }));
    },
    /** Returns a statement for the batch that also records who asked. */
    request: (name: string, userId: string) => rows.request(name, userId, clock.now()),
    withdraw: rows.withdraw,
  };
}

export type ScheduleBoard = ReturnType<typeof createScheduleBoard>;
