import type { Millis } from "../core/clock.ts";
import { mostSkewMs } from "../core/clock.trust.ts";
import { sql, tableOf, type Database, type RowOf, type Statement } from "../drivers/database/index.ts";

export interface Tick {
  readonly name: string;
  /** The time that matches the cron expression. With the name it identifies one run among all processes. */
  readonly at: Millis;
  readonly instance: string;
}

/** A whole row of `schedule_runs`. */
interface StoredTick {
  readonly name: string;
  readonly lastTickAt: Millis;
  readonly lockedUntil: Millis;
  readonly lockedBy: string;
}

const stored = tableOf<StoredTick>("schedule_runs", {
  name: "name",
  lastTickAt: "last_tick_at",
  lockedUntil: "locked_until",
  lockedBy: "locked_by",
});
const columns = stored.pick("lastTickAt", "lockedUntil");
export type TickRow = RowOf<typeof columns>;

const found = sql`select ${columns} from schedule_runs where name = $name`;
const inserted = stored.insert();
const lasts = sql`select ${stored.pick("name", "lastTickAt")} from schedule_runs where locked_by <> $but`;

/** Owns `schedule_runs`, one row for each schedule: the last tick that was taken, and by whom it is locked until when. */
export const createTickRepository = (db: Database) => ({
  /** Claims a tick. Only one of the schedulers that ask gets it, and none while an earlier run holds the lock. Guards its batch. */
  claim: ({ name, at, instance }: Tick, lockedUntil: Millis, now: Millis): Statement => ({
    sql: `insert into ${inserted.into} values (${inserted.values})
       on conflict (name) do update
         set last_tick_at = excluded.last_tick_at, locked_until = excluded.locked_until, locked_by = excluded.locked_by
         where (schedule_runs.last_tick_at < excluded.last_tick_at or schedule_runs.last_tick_at > $horizon)
           and (schedule_runs.locked_until <= $now or schedule_runs.locked_until > $horizon)
       returning name`,
    params: {
      ...inserted.params({ name, lastTickAt: at, lockedUntil, lockedBy: instance }),
      now,
      horizon: now + mostSkewMs,
    },
    guard: true,
  }),

  /** Returns the time of the last tick of each schedule by its name, without ticks that the instance `but` took. */
  async last(but = ""): Promise<ReadonlyMap<string, Millis>> {
    const rows = await db.all(lasts, { but });
    return new Map(rows.map(({ name, lastTickAt }) => [name, lastTickAt]));
  },

  /**
   * Returns the time for a tick that is taken now rather than at a planned time. The last tick may lie a little ahead, if a clock that has
   * been set back since took it early; the new one then follows it.
   */
  async after(name: string, now: Millis): Promise<Millis> {
    const last = (await this.find(name))?.lastTickAt ?? 0;
    return last >= now && last <= now + mostSkewMs ? last + 1 : now;
  },

  find: (name: string): Promise<TickRow | undefined> => db.get(found, { name }),

  /** Prolongs the lock. Returns false when another scheduler holds it by now. */
  async extend({ name, at, instance }: Tick, lockedUntil: Millis): Promise<boolean> {
    const { changes } = await db.run(
      `update schedule_runs set locked_until = $lockedUntil
       where name = $name and last_tick_at = $at and locked_by = $instance`,
      { name, at, instance, lockedUntil },
    );
    return changes === 1;
  },

  async release({ name, at, instance }: Tick): Promise<void> {
    await db.run(
      `update schedule_runs set locked_until = 0
       where name = $name and last_tick_at = $at and locked_by = $instance`,
      { name, at, instance },
    );
  },
});
