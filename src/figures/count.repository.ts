import type { Millis } from "../core/clock.ts";
import { computed, sql, type Database } from "../drivers/database/index.ts";

/** How many events of one kind fell into the hour or day that begins at `at`. */
export interface Count {
  readonly at: Millis;
  readonly action: string;
  readonly outcome: string;
  /** Empty except for failures, and for sign-ins, of which it is the way that people came. */
  readonly reason: string;
  readonly events: number;
}

/** How many mails came to one end in the hour or day that begins at `at`. */
export interface MailCount {
  readonly at: Millis;
  readonly state: string;
  readonly mails: number;
}

const beginOfSpan = "hour - hour % $widthMs";
const found = {
  countedFrom: sql`select ${computed<{ countedFrom: Millis }>({ countedFrom: "counted_from" })} from audit_counting`,
  counts: sql`select ${computed<Count>({ at: beginOfSpan, action: "action", outcome: "outcome", reason: "reason", events: "sum(events)" })}
    from audit_hours where hour >= $since group by ${beginOfSpan}, action, outcome, reason`,
  mails: sql`select ${computed<MailCount>({ at: beginOfSpan, state: "state", mails: "sum(mails)" })}
    from mail_hours where hour >= $since group by ${beginOfSpan}, state`,
  lastEvent: sql`select ${computed<{ at: Millis }>({ at: "at" })} from audit_events
    where at < $from and at >= $horizon order by at desc limit 1 offset $skipped`,
};

/** Returns what puts slots of hours that are over together: rows of a table that counts in one column, by the hour and others. */
const unitedIn = (table: string, others: string, count: string) => sql`with taken as (
    delete from ${table} where (hour, ${others}) in
      (select hour, ${others} from ${table} where hour < $before and hour % 3600000 <> 0 limit $limit)
    returning *
  ), put as (
    insert into ${table} as counted (hour, ${others}, ${count})
      select hour - hour % 3600000, ${others}, sum(${count}) from taken group by hour - hour % 3600000, ${others}
      on conflict (hour, ${others}) do update set ${count} = counted.${count} + excluded.${count}
  ) select ${computed<{ slots: number }>({ slots: "count(*)" })} from taken`;
const united = [
  unitedIn("audit_hours", "action, outcome, reason, app", "events"),
  unitedIn("mail_hours", "state", "mails"),
];

/**
 * Owns `audit_hours` and `mail_hours`, which triggers fill as rows of the audit log and of mails are written, and `audit_counting`, which
 * says since when `audit_hours` is complete. On PostgreSQL `hour` is the beginning of an hour and the slot of the connection that
 * counted, in milliseconds.
 */
export function createCountRepository(db: Database) {
  /** Every row of the audit log from this time on has been counted. */
  const countedFrom = async (): Promise<Millis> => (await db.get(found.countedFrom))?.countedFrom ?? 0;

  return {
    /** `widthMs` is a whole number of hours that divides a day, in UTC. */
    list: (since: Millis, widthMs: number): Promise<Count[]> => db.all(found.counts, { since, widthMs }),

    /** As `list`. */
    mails: (since: Millis, widthMs: number): Promise<MailCount[]> => db.all(found.mails, { since, widthMs }),

    countedFrom,

    /**
     * Counts the newest `limit` rows older than `from`, the rest of the oldest one's millisecond, and none from before `horizon`. Resolves
     * to the time since when all rows are counted. Writes nothing where another process has counted meanwhile.
     */
    async countBack(from: Millis, horizon: Millis, limit: number): Promise<Millis> {
      const last = await db.get(found.lastEvent, { from, horizon, skipped: limit - 1 });
      const back = last?.at ?? horizon;
      const counted = await db.batch([
        {
          sql: "update audit_counting set counted_from = $back where counted_from = $from",
          params: { back, from },
          guard: true,
        },
        {
          sql: `insert into audit_hours (hour, action, outcome, reason, app, events)
          select at - at % 3600000, action, outcome,
            case when outcome = 'failure' or action = 'auth.logged-in' then coalesce(reason, '') else '' end, app, sum(count)
          from audit_events where at >= $back and at < $from
          group by 1, 2, 3, 4, 5
          on conflict (hour, action, outcome, reason, app) do update set events = audit_hours.events + excluded.events`,
          params: { back, from },
        },
      ]);
      return counted.applied ? back : countedFrom();
    },

    /**
     * Puts the slots of each hour before `before` together, at most `limit` rows of each table. Resolves to how many that were of the table
     * that had more. SQLite has no slots.
     */
    async unite(before: Millis, limit: number): Promise<number> {
      if (db.dialect === "sqlite") return 0;
      let most = 0;
      for (const each of united) {
        const { rows } = await db.run(each, { before, limit });
        most = Math.max(most, rows[0]?.slots ?? 0);
      }
      return most;
    },

    /** Forgets counts of hours before `before`, at most `limit` of each table. Resolves to how many rows of `audit_hours` went. */
    async forget(before: Millis, limit: number): Promise<number> {
      const { changes } = await db.run(
        `delete from audit_hours where (hour, action, outcome, reason, app) in
         (select hour, action, outcome, reason, app from audit_hours where hour < $before limit $limit)`,
        { before, limit },
      );
      await db.run(
        "delete from mail_hours where (hour, state) in (select hour, state from mail_hours where hour < $before limit $limit)",
        { before, limit },
      );
      return changes;
    },
  };
}

export type CountRepository = ReturnType<typeof createCountRepository>;
