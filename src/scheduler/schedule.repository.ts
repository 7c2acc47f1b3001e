import type { Millis } from "../core/clock.ts";
import { mostSkewMs } from "../core/clock.trust.ts";
import type { Database, Statement } from "../drivers/database/index.ts";

export interface ScheduleRow {
  readonly name: string;
  readonly cron: string;
  /** When somebody asked for a run at once; null when nobody does. */
  readonly requestedAt: Millis | null;
  /** The id of that user. */
  readonly requestedBy: string | null;
  /** In the future while a run holds the lock. */
  readonly lockedUntil: Millis | null;
}

export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Millis;
  /** Null while the run goes on, and for good where its process was killed. */
  readonly endedAt: Millis | null;
  /** 1 or 0; null without an end. */
  readonly ok: number | null;
  /** What a failed run ended with, as it said it: redact it before it is shown. */
  readonly error: string | null;
  /** Who asked for it; null for a run at its time. */
  readonly requestedBy: string | null;
}

export interface RunRequest {
  readonly name: string;
  readonly requestedAt: Millis;
  readonly requestedBy: string | null;
}

/** So many runs are kept of each schedule. */
const keptRuns = 20;

/** Runs that a clock noted that was ahead count as the oldest: they would take the places of all others until then. */
const fromAhead = "case when started_at > $horizon then 1 else 0 end";

/** What is lost with the machine is of no use afterwards: these rows wait for no disk. */
const undurable = { durable: false } as const;

/** Owns `schedules`, by which other processes know of them and ask for a run, and `schedule_history`, the last runs of each. */
export const createScheduleRepository = (db: Database) => ({
  /** Replaces what another release or configuration has left. A run that was asked for stays so. */
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

  list: (): Promise<ScheduleRow[]> =>
    db.all<ScheduleRow>(
      `select schedules.name, cron, requested_at as "requestedAt", requested_by as "requestedBy",
         locked_until as "lockedUntil"
       from schedules left join schedule_runs on schedule_runs.name = schedules.name
       order by schedules.name`,
    ),

  requests: (): Promise<RunRequest[]> =>
    db.all<RunRequest>(
      `select name, requested_at as "requestedAt", requested_by as "requestedBy"
       from schedules where requested_at is not null order by requested_at`,
    ),

  /** Guards its batch: one run is asked for at a time. */
  request: (name: string, userId: string, now: Millis): Statement => ({
    sql: "update schedules set requested_at = $now, requested_by = $userId where name = $name and requested_at is null",
    params: { name, userId, now },
    guard: true,
  }),

  /** Guards its batch: a request that a scheduler has taken can't be withdrawn. */
  withdraw: (name: string): Statement => ({
    sql: "update schedules set requested_at = null, requested_by = null where name = $name and requested_at is not null",
    params: { name },
    guard: true,
  }),

  /** Guards its batch: of the schedulers that see a request one takes it. */
  take: ({ name, requestedAt }: RunRequest): Statement => ({
    sql: "update schedules set requested_at = null, requested_by = null where name = $name and requested_at = $requestedAt",
    params: { name, requestedAt },
    guard: true,
  }),

  /** Begins the record of a run, and forgets those before the last ones. */
  async began(run: { id: string; name: string; startedAt: Millis; requestedBy: string | null }): Promise<void> {
    await db.batch(
      [
        {
          sql: `insert into schedule_history (id, name, started_at, requested_by)
                values ($id, $name, $startedAt, $requestedBy)`,
          params: run,
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
  history: (now: Millis): Promise<RunRow[]> =>
    db.all<RunRow>(
      `select id, name, started_at as "startedAt", ended_at as "endedAt", ok, error, requested_by as "requestedBy"
       from schedule_history order by ${fromAhead}, started_at desc, id desc limit 1000`,
      { horizon: now + mostSkewMs },
    ),
});

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;
