import { minute, type Millis } from "../../core/clock.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";

export interface AttemptRow {
  readonly key: string;
  readonly attempts: number;
  /** How many of the attempts are known to have failed, where that is written down. */
  readonly failures: number;
  readonly expiresAt: Millis;
}

/** A row of `auth_attempts` and how it is counted. */
export interface Counter {
  readonly key: string;
  /** `window`: a fixed window from the first attempt. `streak`: forgotten so long after the last attempt that counted. */
  readonly kind: "window" | "streak";
  readonly limit: number;
  readonly durationMs: number;
}

/** The clocks of processes, and the time that a statement waits for its turn, differ by less. */
const clockSkewMs = minute;
/** A counter that ends later than one of its kind can was written while the clock was wrong: it is over. */
const isOver = `(auth_attempts.expires_at <= $now or auth_attempts.expires_at > $now + $durationMs + ${clockSkewMs})`;

const charge = (expiresAt: string): string =>
  `insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at)
   values ($key, 1, $now, $now + $durationMs) on conflict (attempt_key) do update set
     attempts = case when ${isOver} then 1 else auth_attempts.attempts + 1 end,
     failures = case when ${isOver} then 0 else auth_attempts.failures end,
     window_started_at = case when ${isOver} then $now else auth_attempts.window_started_at end,
     expires_at = ${expiresAt}
   where ${isOver} or auth_attempts.attempts < $limit
   returning attempts, expires_at as "expiresAt"`;
const chargeOf = {
  window: charge(`case when ${isOver} then $now + $durationMs else auth_attempts.expires_at end`),
  streak: charge("$now + $durationMs"),
} as const;

/** A counter has to outlive the process, not a power cut: no login waits for the disk because of it. */
export const countedOnly = { durable: false };

/** The one order of locks among counters. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

/** What `Retry-After` says. */
export const secondsBetween = (now: Millis, end: Millis): number => Math.max(1, Math.ceil((end - now) / 1000));

/** So many counters a check has at most: the statement that reads them has room for as many. */
const places = ["a", "b", "c", "d", "e", "f", "g"] as const;
const placesInSql = places.map((place) => `$${place}`).join(", ");

/** Whether the row counts still. */
export const isLive = (row: AttemptRow, { durationMs }: Pick<Counter, "durationMs">, now: Millis): boolean =>
  row.expiresAt > now && row.expiresAt <= now + durationMs + clockSkewMs;

/** Whom a counter keeps out once it is full of failures. `userId` is null where the name is no account's. */
export interface KeepsOut {
  readonly userId: string | null;
  /** `name`: counts what strangers typed. `browser`: a browser that the account knows. `account`: all failures in a row. */
  readonly by: "name" | "browser" | "account";
}

/** A counter by which an account may be kept out. */
export interface LockRow extends AttemptRow {
  readonly locksUser: string | null;
  readonly locksBy: string | null;
}

const lockColumns = `attempt_key as "key", attempts, failures, expires_at as "expiresAt", locks_user as "locksUser",
  locks_by as "locksBy"`;
/** So many keys one statement reads. */
const mostKeys = 400;

/** Owns `auth_attempts`, counters shared by all processes. */
export const createAttemptRepository = (db: Database) => ({
  /** A charge beyond the limit changes no row and returns none. */
  charge: ({ kind, ...counter }: Counter, now: Millis): Statement => ({
    sql: chargeOf[kind],
    params: { ...counter, now },
  }),

  /** Adds to a counter that is there and not full, and makes none. */
  add: ({ key, limit, durationMs }: Counter, now: Millis): Statement => ({
    sql: `update auth_attempts set attempts = attempts + 1
          where attempt_key = $key and attempts < $limit and not ${isOver}`,
    params: { key, limit, durationMs, now },
  }),

  /**
   * Counts a charged attempt as failed. Changes nothing when a success has cleared the counter meanwhile. The failure that fills the
   * counter writes down whom it keeps out.
   */
  fail: ({ key, limit }: Counter, { userId, by }: KeepsOut): Statement => ({
    sql: `update auth_attempts set failures = failures + 1,
            locks_user = case when failures + 1 >= $limit then $userId else locks_user end,
            locks_by = case when failures + 1 >= $limit then $by else locks_by end
          where attempt_key = $key and failures < attempts
          returning failures, expires_at as "expiresAt"`,
    params: { key, limit, userId, by },
  }),

  /** Writes down whom a counter keeps out that is full of charges, whatever came of them. */
  keepOut: (key: string, { userId, by }: KeepsOut): Statement => ({
    sql: `update auth_attempts set locks_user = $userId, locks_by = $by where attempt_key = $key`,
    params: { key, userId, by },
  }),

  /** The rows of up to seven counters, in any order. */
  find: (counters: readonly Counter[]) =>
    db.all<AttemptRow>(
      `select attempt_key as "key", attempts, failures, expires_at as "expiresAt" from auth_attempts
       where attempt_key in (${placesInSql})`,
      Object.fromEntries(places.map((place, index) => [place, counters[index]?.key ?? ""])),
    ),

  /** The rows of any counters, in any order. */
  async findAll(keys: readonly string[]): Promise<readonly LockRow[]> {
    const chunks = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, index) =>
      keys.slice(index * mostKeys, (index + 1) * mostKeys),
    );
    const rows = await Promise.all(
      chunks.map((chunk) =>
        db.all<LockRow>(
          `select ${lockColumns} from auth_attempts where attempt_key in (${chunk.map((_, index) => `$k${index}`).join()})`,
          Object.fromEntries(chunk.map((key, index) => [`k${index}`, key])),
        ),
      ),
    );
    return rows.flat();
  },

  /** The counters that keep this user out, full or once full. */
  locksOf: (userId: string) =>
    db.all<LockRow>(`select ${lockColumns} from auth_attempts where locks_user = $userId limit ${mostKeys}`, {
      userId,
    }),

  /** The ids of users whom a counter keeps out, the greatest first, less than `before`. */
  async lockedUsers(before: string, now: Millis, limit: number): Promise<readonly string[]> {
    const rows = await db.all<{ id: string }>(
      `select distinct locks_user as "id" from auth_attempts
       where locks_user is not null and locks_user < $before and expires_at > $now order by locks_user desc limit $limit`,
      { before, now, limit },
    );
    return rows.map(({ id }) => id);
  },

  /** Takes one charge back. A counter that comes to nothing goes, and one cleared meanwhile stays cleared. */
  refund: (key: string): readonly Statement[] => [
    { sql: `delete from auth_attempts where attempt_key = $key and attempts <= 1`, params: { key } },
    { sql: `update auth_attempts set attempts = attempts - 1 where attempt_key = $key`, params: { key } },
  ],

  clear: (key: string): Statement => ({ sql: `delete from auth_attempts where attempt_key = $key`, params: { key } }),
});

export type AttemptRepository = ReturnType<typeof createAttemptRepository>;
