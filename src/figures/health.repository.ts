import type { Millis } from "../core/clock.ts";
import { computed, sql, type Database } from "../drivers/database/index.ts";

export interface HealthSample {
  readonly isReady: boolean;
  /** Checks that failed, by type and name. Their errors are in the log. */
  readonly failed: string | null;
  readonly waiting: number;
  readonly dead: number;
}

/** Findings of all samples in the hour or day that begins at `at`. */
export interface Health {
  readonly at: Millis;
  readonly ready: number;
  readonly notReady: number;
  /** Checks that failed in one of the hours. */
  readonly failed: string | null;
  readonly mostWaiting: number;
  readonly mostDead: number;
}

const health = computed<Health>({
  at: "hour - hour % $widthMs",
  ready: "sum(ready)",
  notReady: "sum(not_ready)",
  failed: "max(failed)",
  mostWaiting: "max(most_waiting)",
  mostDead: "max(most_dead)",
});
const found = {
  list: sql`select ${health} from health_hours where hour >= $since group by hour - hour % $widthMs order by 1`,
  first: sql`select ${computed<{ at: Millis }>({ at: "hour" })} from health_hours order by hour limit 1`,
};

/** Owns `health_hours`: one row an hour. */
export const createHealthRepository = (db: Database) => ({
  async add(hour: Millis, { isReady, failed, waiting, dead }: HealthSample): Promise<void> {
    await db.run(
      `insert into health_hours (hour, ready, not_ready, failed, most_waiting, most_dead)
       values ($hour, $ready, $notReady, $failed, $waiting, $dead)
       on conflict (hour) do update set
         ready = health_hours.ready + excluded.ready,
         not_ready = health_hours.not_ready + excluded.not_ready,
         failed = coalesce(excluded.failed, health_hours.failed),
         most_waiting = case when excluded.most_waiting > health_hours.most_waiting
           then excluded.most_waiting else health_hours.most_waiting end,
         most_dead = case when excluded.most_dead > health_hours.most_dead
           then excluded.most_dead else health_hours.most_dead end`,
      { hour, ready: isReady ? 1 : 0, notReady: isReady ? 0 : 1, failed, waiting, dead },
    );
  },

  list: (since: Millis, widthMs: number): Promise<Health[]> => db.all(found.list, { since, widthMs }),

  /** Resolves to the first hour that is known; undefined where none is. */
  first: async (): Promise<Millis | undefined> => (await db.get(found.first))?.at,

  async forget(before: Millis, limit: number): Promise<number> {
    const { changes } = await db.run(
      "delete from health_hours where hour in (select hour from health_hours where hour < $before limit $limit)",
      { before, limit },
    );
    return changes;
  },
});

export type HealthRepository = ReturnType<typeof createHealthRepository>;
