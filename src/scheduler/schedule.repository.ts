import type { Millis } from "../core/clock.ts";
import { mostSkewMs } from "../core/clock.trust.ts";
import {
  computed,
  sql,
  tableOf,
  together,
  type Database,
  type RowOf,
  type Statement,
} from "../drivers/database/index.ts";

/** A whole row of `schedules`. */
interface StoredSchedule {
  readonly name: string;
  readonly cron: string;
  /** When somebody asked for a run at once; null when nobody does. */
  readonly requestedAt: Millis | null;
  readonly requestedBy: string | null;
}

const schedules = tableOf<StoredSchedule>("schedules", {
  name: "name",
  cron: "cron",
  requestedAt: "requested_at",
  requestedBy: "requested_by",
});
const scheduleColumns = together(
  schedules.as("s"),
  /** In the future while a run holds the lock. */
  computed<{ lockedUntil: Millis | null }>({ lockedUntil: "r.locked_until" }),
);
export type ScheduleRow = RowOf<typeof scheduleColumns>;

/** The condition of the statement leaves no other rows. */
const requests = together(
  schedules.pick("name", "requestedBy"),
  computed<{ requestedAt: Millis }>({ requestedAt: schedules.columnOf("requestedAt") }),
);
export type RunRequest = RowOf<typeof requests>;

/** A whole row of `schedule_history`. */
export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Millis;
  /** Null while the run goes on, and for good where its process was killed. */
  readonly endedAt: Millis | null;
  /** 1 for success, 0 for failure; null without an end. */
  readonly ok: number | null;
  /** The message of the error that ended a failed run: redact it before it is shown. */
  readonly error: string | null;
  readonly requestedBy: string | null;
}

const runs = tableOf<RunRow>("schedule_history", {
  id: "id",
  name: "name",
  startedAt: "started_at",
  endedAt: "ended_at",
  ok: "ok",
  error: "error",
  requestedBy: "requested_by",
});
const begun = runs.insert({ endedAt: "null", ok: "null", error: "null" });
const insertRun = `insert into ${begun.into} values (${begun.values})`;

/** Sorts runs that a fast clock dated into the future as the oldest: otherwise they would take the places of all other runs until then. */
const fromAhead = "case when started_at > $horizon then 1 else 0 end";

const found = {
  schedules: sql`select ${scheduleColumns} from schedules s left join schedule_runs r on r.name = s.name order by s.name`,
  requests: sql`select ${requests} from schedules where requested_at is not null order by requested_at`,
  history: sql`select ${runs} from schedule_history order by ${fromAhead}, started_at desc, id desc limit 1000`,
};

const keptRuns = 20;

/** What is lost with the machine is of no use afterwards: these rows wait for no disk. */
const undurable = { durable: false } as const;

/** Owns `schedules`, through which other processes know the schedules and ask for a run, and `schedule_history`, the last runs of each. */
export const createScheduleRepository = (db: Database) => ({
  /** Replaces the schedules that another release or configuration has left. A run that was asked for stays so. */
  async register(schedules: readonly { readonly name: string; readonly cron: string }[]): Promise<void> {
    const names = schedules.map((_, index) => `$name${index}`).join(", ");
    const named = Object.fromEntries(schedules.map(({ name }, index) => [`name${index}`, name]));
    await db.batch([
      { sql: `delete from schedules where name not in (${names})`, params: named },
      ...schedules.map(({ name, cron }) => ({
        sql: `insert into schedules (name, cron) values ($name, $cron)
              on conflict (name) do update set cron = excluded.cron`,
        params: { name, cron },
      })),
    ]);
  },

  list: (): Promise<ScheduleRow[]> => db.all(found.schedules),

  requests: (): Promise<RunRequest[]> => db.all(found.requests),

  /** Asks for a run. Guards its batch: only one run is asked for at a time. */
  request: (name: string, userId: string, now: Millis): Statement => ({
    sql: "update schedules set requested_at = $now, requested_by = $userId where name = $name and requested_at is null",
    params: { name, userId, now },
    guard: true,
  }),

  /** Withdraws a request. Guards its batch: a request that a scheduler has taken can't be withdrawn. */
  withdraw: (name: string): Statement => ({
    sql: "update schedules set requested_at = null, requested_by = null where name = $name and requested_at is not null",
    params: { name },
    guard: true,
  }),

  /** Takes a request. Guards its batch: only one of the schedulers that see a request takes it. */
  take: ({ name, requestedAt }: RunRequest): Statement => ({
    sql: "update schedules set requested_at = null, requested_by = null where name = $name and requested_at = $requestedAt",
    params: { name, requestedAt },
    guard: true,
  }),

  /** Begins the record of a run, and forgets older runs beyond those that are kept. */
  async began(run: { id: string; name: string; startedAt: Millis; requestedBy: string | null }): Promise<void> {
    await db.batch(
      [
        {
          sql: insertRun,
          params: begun.params(run),
        },
        {
          sql: `delete from schedule_history where name = $name and id not in
                  (select id from schedule_history where name = $name order by ${fromAhead}, started_at desc, id desc limit $kept)`,
          params: { name: run.name, kept: keptRuns, horizon: run.startedAt + mostSkewMs },
        },
      ],
      undurable,
    );
  },

  async ended(id: string, { endedAt, error }: { endedAt: Millis; error: string | null }): Promise<void> {
    await db.run(
      "update schedule_history set ended_at = $endedAt, ok = $ok, error = $error where id = $id",
      { id, endedAt, ok: error === null ? 1 : 0, error },
      undurable,
    );
  },

  /** The last runs of all schedules together, newest first. */
  history: (now: Millis): Promise<RunRow[]> => db.all(found.history, { horizon: now + mostSkewMs }),
});

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;
