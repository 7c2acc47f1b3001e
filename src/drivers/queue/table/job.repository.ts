import type { Millis } from "../../../core/clock.ts";
import {
  computed,
  sql,
  together,
  type Database,
  type Params,
  type RowOf,
  type Statement,
} from "../../database/index.ts";
import { depthOf, jobColumns, type JobRecord, type QueueDepth } from "./job.columns.ts";

export type NewJobRow = Pick<
  JobRecord,
  "id" | "app" | "name" | "payload" | "maxAttempts" | "traceId" | "retryForMs" | "retryUntil" | "availableAt"
> & { readonly now: Millis };

/** The columns of a job that a worker gets. */
const leased = jobColumns.pick("id", "name", "payload", "state", "attempts", "availableAt", "createdAt", "traceId");
export type JobRow = RowOf<typeof leased>;

/** A job without a time dies with its last attempt, one with a time with the first attempt that ends after it. */
const spent = "case when retry_until is null then attempts >= max_attempts else retry_until <= $now end";
/** True where the attempt that had the lease ended without a word, and was the last one. */
const lapsed = `case when retry_until is null then attempts >= max_attempts
  else leased_until is not null and retry_until <= $now end`;
/** How many jobs with a wrong time one look takes back; the rest comes with the next. */
const mostRecalled = 100;
const held = "id = $id and attempts = $attempt and state = 'pending' and leased_until is not null";

const lease = `state = case when ${lapsed} then 'dead' else state end,
         finished_at = case when ${lapsed} then $now else null end,
         last_error = case when ${lapsed} then 'the lease of the last attempt ran out' else last_error end,
         leased_until = case when ${lapsed} then null else $leasedUntil end,
         attempts = case when ${lapsed} then attempts else attempts + 1 end`;

const leases = computed<{ id: string; leasedUntil: Millis }>({ id: "id", leasedUntil: "leased_until" });
const inserted = jobColumns.insert({
  state: "'pending'",
  attempts: "0",
  createdAt: "$now",
  leasedUntil: "null",
  finishedAt: "null",
  lastError: "null",
});
const insertJob = `insert into ${inserted.into} values (${inserted.values})`;
const one = computed<{ found: number }>({ found: "1" });
const prospects = together(
  jobColumns.pick("retryUntil"),
  computed<{ left: number }>({ left: "max_attempts - attempts" }),
);

const texts = {
  probe: sql`select ${one} from jobs where queue = $queue and app = $app and state = 'pending' limit 1`,
  prospects: sql`select ${prospects} from jobs where id = $id`,
  fail: sql`update jobs set
      state = case when ${spent} then 'dead' else 'pending' end,
      finished_at = case when ${spent} then $now else null end,
      available_at = $retryAt, leased_until = null, last_error = $error
    where ${held} returning ${jobColumns.pick("state")}`,
  depth: sql`select ${depthOf({
    dead: "coalesce(sum(case when state = 'dead' then 1 else 0 end), 0)",
    leased: "coalesce(sum(case when state = 'pending' and leased_until > $now then 1 else 0 end), 0)",
    delayed: `coalesce(sum(case when state = 'pending' and coalesce(leased_until, 0) <= $now and available_at > $now
      then 1 else 0 end), 0)`,
    ready: `coalesce(sum(case when state = 'pending' and coalesce(leased_until, 0) <= $now and available_at <= $now
      then 1 else 0 end), 0)`,
  })} from jobs where queue = $queue and app = $app`,
};

const inOrder = (rows: readonly JobRow[]): readonly JobRow[] =>
  rows.toSorted((a, b) => a.availableAt - b.availableAt || (a.id < b.id ? -1 : 1));

/** Runs a statement about the job that a worker has in hand. Resolves to whether the worker still has it. */
const ofHeld = async (db: Database, text: string, params: Params): Promise<boolean> =>
  (await db.run(`${text} where ${held}`, params)).changes === 1;

/** The jobs that a repository sees: jobs of another app in the same queue are for that app's workers. */
interface Owner {
  readonly queue: string;
  readonly app: string;
}

/**
 * A row is `pending` until it is deleted (done) or `dead` (kept for an operator). A lease in the future means that a worker has the job in
 * hand. `attempts` is the fence: it grows with each claim and never goes back.
 */
export const createJobRepository = (db: Database, { queue, app }: Owner) => ({
  insert: ({ now, ...row }: NewJobRow): Statement => ({
    sql: insertJob,
    params: { ...inserted.params({ ...row, queue }), now },
  }),

  /**
   * Leases the oldest due jobs. PostgreSQL passes over those that another claim has in hand: without that each claim would wait for
   * another, and then find its jobs taken. The outer conditions repeat the inner ones, because PostgreSQL checks only the outer ones again
   * on rows that were written meanwhile. A job whose last attempt never reported, because its worker was killed, becomes a dead letter here
   * and is returned with the state `dead`.
   */
  async claim(limit: number, leasedUntil: Millis, now: Millis): Promise<readonly JobRow[]> {
    const { rows } = await db.run(
      sql`with due as (
         select id from jobs
         where queue = $queue and app = $app and state = 'pending' and available_at <= $now
           and (leased_until is null or leased_until <= $now)
         order by available_at, id limit $limit ${db.dialect === "postgres" ? "for update skip locked" : ""}
       )
       update jobs set
         ${lease}
       where id in (select id from due)
         and state = 'pending' and (leased_until is null or leased_until <= $now)
       returning ${leased}`,
      { queue, app, limit, leasedUntil, now },
    );
    return inOrder(rows);
  },

  /**
   * Returns when the first of the jobs becomes due that can't be claimed now, because it rests or has a lease; null when there is none.
   * After a claim that got less than it asked for, all due jobs already have a lease, so that few rows are read.
   */
  async nextDueAt(now: Millis): Promise<Millis | null> {
    const own = "queue = $queue and app = $app and state = 'pending'";
    const row = await db.get(
      sql`select ${computed<{ dueAt: Millis | null }>({ dueAt: "min(due_at)" })} from (
         select min(available_at) as due_at from jobs where ${own} and available_at > $now
         union all
         select min(leased_until) from jobs where ${own} and available_at <= $now
       ) as times`,
      { queue, app, now },
    );
    return row?.dueAt ?? null;
  },

  async probe(): Promise<void> {
    await db.get(texts.probe, { queue, app });
  },

  extend: (id: string, attempt: number, leasedUntil: Millis) =>
    ofHeld(db, "update jobs set leased_until = $leasedUntil", { id, attempt, leasedUntil }),

  remove: (id: string, attempt: number) => ofHeld(db, "delete from jobs", { id, attempt }),

  /** Returns how many attempts are left, and the deadline of a job that has one, which is retried until then whatever is left. */
  prospects: (id: string) => db.get(texts.prospects, { id }),

  /** Records a failed attempt. Resolves to the new state of the job, or to undefined when the lease was lost. */
  async fail(id: string, attempt: number, error: string, retryAt: Millis, now: Millis): Promise<string | undefined> {
    const { rows } = await db.run(texts.fail, { id, attempt, error, retryAt, now });
    return rows[0]?.state;
  },

  bury: (id: string, attempt: number, error: string, now: Millis) =>
    ofHeld(db, "update jobs set state = 'dead', finished_at = $now, leased_until = null, last_error = $error", {
      id,
      attempt,
      error,
      now,
    }),

  /**
   * Hands the job back, and grants one more attempt: a lower count of attempts would let the worker that released the job still report on
   * it.
   */
  release: (id: string, attempt: number) =>
    ofHeld(db, "update jobs set leased_until = null, max_attempts = max_attempts + 1", { id, attempt }),

  /** Makes jobs due, a hundred at most, that were stored by a clock that was ahead, or that rest longer after a failure than any job does. */
  async recallWaiting(times: { readonly now: Millis; readonly horizon: Millis; readonly restHorizon: Millis }) {
    const stray = `queue = $queue and app = $app and state = 'pending' and available_at > $horizon
      and (created_at > $horizon or (attempts > 0 and available_at > $restHorizon))`;
    const { horizon, restHorizon } = times;
    const found = await db.all(sql`select ${jobColumns.pick("id")} from jobs where ${stray} limit ${mostRecalled}`, {
      horizon,
      restHorizon,
      queue,
      app,
    });
    for (const { id } of found)
      await db.run(`update jobs set available_at = $now where id = $id and ${stray}`, { ...times, id, queue, app });
  },

  /** Returns at most a hundred jobs whose lease ends after that time. */
  leasedBeyond: (horizon: Millis) =>
    db.all(
      sql`select ${leases} from jobs
       where leased_until > $horizon and queue = $queue and app = $app and state = 'pending' limit ${mostRecalled}`,
      { horizon, queue, app },
    ),

  /** Ends the lease now, unless it has been renewed meanwhile. */
  async endLease(id: string, leasedUntil: Millis, now: Millis): Promise<void> {
    await db.run("update jobs set leased_until = $now where id = $id and leased_until = $leasedUntil", {
      id,
      leasedUntil,
      now,
    });
  },

  async depth(now: Millis): Promise<QueueDepth> {
    const row = await db.get(texts.depth, { queue, app, now });
    return row ?? { dead: 0, leased: 0, delayed: 0, ready: 0 };
  },
});
