import type { Millis } from "../core/clock.ts";
import { mostSkewMs } from "../core/clock.trust.ts";
import type { Database, Statement } from "../drivers/database/index.ts";

export interface Tick {
  readonly name: string;
  /** The time that matches the cron expression. With the name it identifies one run among all processes. */
  readonly at: Millis;
  readonly instance: string;
}

export interface TickRow {
  readonly last_tick_at: Millis;
  readonly locked_until: Millis;
}

/** Owns `schedule_runs`, one row for each schedule: the last tick that was taken, and by whom it is locked until when. */
export const createTickRepository = (db: Database) => ({
  /** Of all schedulers that ask for a tick one gets it, and none while an earlier run still holds the lock. Guards its batch. */
  claim: ({ name, at, instance }: Tick, lockedUntil: Millis, now: Millis): Statement => ({
    sql: `insert into schedule_runs (name, last_tick_at, locked_until, locked_by)
       values ($name, $at, $lockedUntil, $instance)
       on conflict (name) do update
         set last_tick_at = excluded.last_tick_at, locked_until = excluded.locked_until, locked_by = excluded.locked_by
         where (schedule_runs.last_tick_at < excluded.last_tick_at or schedule_runs.last_tick_at > $horizon)
           and (schedule_runs.locked_until <= $now or schedule_runs.locked_until > $horizon)
       returning name`,
    params: { name, at, instance, lockedUntil, now, horizon: now + mostSkewMs },
    guard: true,
  }),

  /** The time of the last tick of each schedule, by its name; without those that this instance took. */
  async last(but = ""): Promise<ReadonlyMap<string, Millis>> {
    const rows = await db.all<{ name: string; at: Millis }>(
      `select name, last_tick_at as "at" from schedule_runs where locked_by <> $but`,
      { but },
    );
    return new Map(rows.map(({ name, at }) => [name, at]));
  },

  /**
   * The time of a tick that is taken now and at no time of its own. The last one may lie a little ahead: its time was planned, and taken
   * early by a clock that has been set back since.
   */
  async after(name: string, now: Millis): Promise<Millis> {
    const last = (await this.find(name))?.last_tick_at ?? 0;
    return last >= now && last <= now + mostSkewMs ? last + 1 : now;
  },

  find: (name: string): Promise<TickRow | undefined> =>
    db.get<TickRow>("select last_tick_at, locked_until from schedule_runs where name = $name", { name }),

  /** False when another scheduler holds the lock by now. */
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
