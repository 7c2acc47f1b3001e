import type { Millis } from "../../core/clock.ts";
import type { Database, Statement } from "../database/index.ts";
import type { QueueDepth } from "./index.ts";

export interface NewJobRow {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly payload: string;
  readonly maxAttempts: number;
  readonly traceId: string | null;
  readonly retryForMs: number | null;
  readonly retryUntil: Millis | null;
  readonly availableAt: Millis;
  readonly now: Millis;
}

export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly payload: string;
  readonly state: string;
  readonly attempts: number;
  readonly available_at: Millis;
  readonly created_at: Millis;
  readonly trace_id: string | null;
}

/** A job without a time dies with its last attempt, one with a time with the first attempt that ends after it. */
const spent = "case when retry_until is null then attempts >= max_attempts else retry_until <= $now end";
/** The attempt that had the lease ended without a word, and was the last one. */
const lapsed = `case when retry_until is null then attempts >= max_attempts
  else leased_until is not null and retry_until <= $now end`;
/** What one look takes back of jobs with a time that is wrong; the rest comes with the next. */
const mostRecalled = 100;
const held = "id = $id and attempts = $attempt and state = 'pending' and leased_until is not null";

const lease = `state = case when ${lapsed} then 'dead' else state end,
         finished_at = case when ${lapsed} then $now else null end,
         last_error = case when ${lapsed} then 'the lease of the last attempt ran out' else last_error end,
         leased_until = case when ${lapsed} then null else $leasedUntil end,
         attempts = case when ${lapsed} then attempts else attempts + 1 end`;
const leased = "id, name, payload, state, attempts, available_at, created_at, trace_id";

const inOrder = (rows: readonly JobRow[]): readonly JobRow[] =>
  rows.toSorted((a, b) => a.available_at - b.available_at || (a.id < b.id ? -1 : 1));

/** A place among the jobs in the order in which they are due. */
export interface JobPlace {
  readonly id: string;
  readonly availableAt: Millis;
}

/** Whose jobs a repository sees: those of another app in the same queue are for that app's workers. */
interface Owner {
  readonly queue: string;
  readonly app: string;
}

/**
 * A row is `pending` until it is deleted (done) or `dead` (kept for an operator); a lease in the future means that a
 * worker has it in hand. `attempts` is the fence: it grows with each claim and never goes back.
 */
export const createJobRepository = (db: Database, { queue, app }: Owner) => ({
  insert: (row: NewJobRow): Statement => ({
    sql: `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, retry_for, retry_until, trace_id,
        available_at, created_at)
      values ($id, $queue, $app, $name, $payload, 'pending', 0, $maxAttempts, $retryForMs, $retryUntil, $traceId,
        $availableAt, $now)`,
    params: { ...row, queue },
  }),

  /**
   * Leases the oldest due jobs. PostgreSQL passes over those that another claim has in hand: without that each claim would wait
   * for the one before it, and then find its jobs taken. The outer conditions repeat the inner ones, because it checks only them
   * again on rows that were written meanwhile. A job whose last attempt never reported, because its
   * worker was killed, becomes a dead letter here and is returned with the state `dead`.
   */
  async claim(limit: number, leasedUntil: Millis, now: Millis): Promise<readonly JobRow[]> {
    const { rows } = await db.run<JobRow>(
      `with due as (
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

  /** The same for jobs that are named, those of them that are due by then and that nobody has. */
  async claimNamed(
    ids: readonly string[],
    dueBy: Millis,
    leasedUntil: Millis,
    now: Millis,
  ): Promise<readonly JobRow[]> {
    if (ids.length === 0) return [];
    const params = Object.fromEntries(ids.map((id, index) => [`id${index}`, id]));
    const names = Object.keys(params).map((name) => `$${name}`);
    const { rows } = await db.run<JobRow>(
      `update jobs set
         ${lease}
       where id in (${names.join(", ")}) and queue = $queue and app = $app and state = 'pending'
         and available_at <= $dueBy and (leased_until is null or leased_until <= $now)
       returning ${leased}`,
      { ...params, queue, app, dueBy, leasedUntil, now },
    );
    return inOrder(rows);
  },

  /** Jobs that have been due since `before` without being taken, in that order, those after a place. */
  overdue: ({ before, after, limit }: { before: Millis; after: JobPlace; limit: number }) =>
    db.all<JobPlace>(
      `select id, available_at as "availableAt" from jobs
       where queue = $queue and app = $app and state = 'pending' and available_at >= $afterAt and available_at <= $before
         and (available_at > $afterAt or id > $afterId) and (leased_until is null or leased_until <= $before)
       order by available_at, id limit $limit`,
      { queue, app, before, afterAt: after.availableAt, afterId: after.id, limit },
    ),

  /** Rejects where the jobs can't be read. */
  async probe(): Promise<void> {
    await db.get("select id from jobs where queue = $queue and app = $app and state = 'pending' limit 1", {
      queue,
      app,
    });
  },

  async extend(id: string, attempt: number, leasedUntil: Millis): Promise<boolean> {
    const { changes } = await db.run(`update jobs set leased_until = $leasedUntil where ${held}`, {
      id,
      attempt,
      leasedUntil,
    });
    return changes === 1;
  },

  async remove(id: string, attempt: number): Promise<boolean> {
    const { changes } = await db.run(`delete from jobs where ${held}`, { id, attempt });
    return changes === 1;
  },

  /** How many attempts are left, and until when a job that has a time is retried whatever is left. */
  prospects: (id: string) =>
    db.get<{ left: number; retryUntil: Millis | null }>(
      `select max_attempts - attempts as "left", retry_until as "retryUntil" from jobs where id = $id`,
      { id },
    ),

  /** Resolves to the state that the job is left in, or to undefined when the lease was lost. */
  async fail(id: string, attempt: number, error: string, retryAt: Millis, now: Millis): Promise<string | undefined> {
    const { rows } = await db.run<{ state: string }>(
      `update jobs set
         state = case when ${spent} then 'dead' else 'pending' end,
         finished_at = case when ${spent} then $now else null end,
         available_at = $retryAt, leased_until = null, last_error = $error
       where ${held} returning state`,
      { id, attempt, error, retryAt, now },
    );
    return rows[0]?.state;
  },

  async bury(id: string, attempt: number, error: string, now: Millis): Promise<boolean> {
    const { changes } = await db.run(
      `update jobs set state = 'dead', finished_at = $now, leased_until = null, last_error = $error where ${held}`,
      { id, attempt, error, now },
    );
    return changes === 1;
  },

  /** Grants one more attempt. To lower the count of attempts would let the worker that released the job still report on it. */
  async release(id: string, attempt: number): Promise<boolean> {
    const { changes } = await db.run(
      `update jobs set leased_until = null, max_attempts = max_attempts + 1 where ${held}`,
      { id, attempt },
    );
    return changes === 1;
  },

  /** Makes jobs due that were stored by a clock that was ahead, or that rest for longer after a failure than any does; a hundred at most. */
  async recallWaiting(times: { readonly now: Millis; readonly horizon: Millis; readonly restHorizon: Millis }) {
    const stray = `queue = $queue and app = $app and state = 'pending' and available_at > $horizon
      and (created_at > $horizon or (attempts > 0 and available_at > $restHorizon))`;
    const { horizon, restHorizon } = times;
    const found = await db.all<{ id: string }>(`select id from jobs where ${stray} limit ${mostRecalled}`, {
      horizon,
      restHorizon,
      queue,
      app,
    });
    for (const { id } of found)
      await db.run(`update jobs set available_at = $now where id = $id and ${stray}`, { ...times, id, queue, app });
  },

  /** Jobs whose lease ends after that time, a hundred at most. */
  leasedBeyond: (horizon: Millis) =>
    db.all<{ id: string; leasedUntil: Millis }>(
      `select id, leased_until as "leasedUntil" from jobs
       where leased_until > $horizon and queue = $queue and app = $app and state = 'pending' limit ${mostRecalled}`,
      { horizon, queue, app },
    ),

  /** Lets this very lease run out now. */
  async endLease(id: string, leasedUntil: Millis, now: Millis): Promise<void> {
    await db.run("update jobs set leased_until = $now where id = $id and leased_until = $leasedUntil", {
      id,
      leasedUntil,
      now,
    });
  },

  async depth(now: Millis): Promise<QueueDepth> {
    const row = await db.get<QueueDepth>(
      `select
         coalesce(sum(case when state = 'dead' then 1 else 0 end), 0) as dead,
         coalesce(sum(case when state = 'pending' and leased_until > $now then 1 else 0 end), 0) as leased,
         coalesce(sum(case when state = 'pending' and coalesce(leased_until, 0) <= $now and available_at > $now
           then 1 else 0 end), 0) as delayed,
         coalesce(sum(case when state = 'pending' and coalesce(leased_until, 0) <= $now and available_at <= $now
           then 1 else 0 end), 0) as ready
       from jobs where queue = $queue and app = $app`,
      { queue, app, now },
    );
    return row ?? { dead: 0, leased: 0, delayed: 0, ready: 0 };
  },
});
