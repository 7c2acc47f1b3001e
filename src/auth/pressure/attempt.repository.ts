import { minute, type Millis } from "../../core/clock.ts";
import { sql, column, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("auth_attempts", {
  key: column<string>("attempt_key"),
  attempts: column<number>("attempts"),
  /** How many of the attempts are known to have failed, in counters that record failures. */
  failures: column<number>("failures"),
  windowStartedAt: column<Millis>("window_started_at"),
  expiresAt: column<Millis>("expires_at"),
  /** The account that the counter keeps out once it is full of failures. `locksBy` says how. */
  locksUser: column<string | null>("locks_user"),
  locksBy: column<string | null>("locks_by"),
});
const columns = stored.pick("key", "attempts", "failures", "expiresAt");
const lockColumns = stored.except("windowStartedAt");
export type AttemptRow = RowOf<typeof columns>;
/** A counter that may keep an account out. */
export type LockRow = RowOf<typeof lockColumns>;

export interface Counter {
  readonly key: string;
  /** `window`: a fixed window from the first attempt. `streak`: forgotten `durationMs` after the last attempt that counted. */
  readonly kind: "window" | "streak";
  readonly limit: number;
  readonly durationMs: number;
}

/** The clocks of processes, and the time that a statement waits for its turn, differ by less than this. */
const clockSkewMs = minute;
/** True for a counter that has ended. A counter that ends later than its kind can was written while the clock was wrong: it counts as ended. */
const isOver = `(auth_attempts.expires_at <= $now or auth_attempts.expires_at > $now + $durationMs + ${clockSkewMs})`;

const first = stored.insert({
  attempts: "1",
  failures: "0",
  windowStartedAt: "$now",
  expiresAt: "$now + $durationMs",
  locksUser: "null",
  locksBy: "null",
});
const charge = (expiresAt: string): string =>
  `insert into ${first.into} values (${first.values}) on conflict (attempt_key) do update set
     attempts = case when ${isOver} then 1 else auth_attempts.attempts + 1 end,
     failures = case when ${isOver} then 0 else auth_attempts.failures end,
     window_started_at = case when ${isOver} then $now else auth_attempts.window_started_at end,
     expires_at = ${expiresAt}
   where ${isOver} or auth_attempts.attempts < $limit
   returning ${stored.pick("attempts", "expiresAt").list}`;
const chargeOf = {
  window: charge(`case when ${isOver} then $now + $durationMs else auth_attempts.expires_at end`),
  streak: charge("$now + $durationMs"),
} as const;

/** A counter has to outlive the process, not a power cut: no login waits for the disk because of it. */
export const countedOnly = { durable: false };

/** Sorts counters into the one order in which they are locked. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

/** Returns the seconds for `Retry-After`, at least 1. */
export const secondsBetween = (now: Millis, end: Millis): number => Math.max(1, Math.ceil((end - now) / 1000));

/** The most counters that a check has: the statement that reads them has a place for each. */
const places = ["a", "b", "c", "d", "e", "f", "g"] as const;
const placesInSql = places.map((place) => `$${place}`).join(", ");

export const isLive = (row: AttemptRow, { durationMs }: Pick<Counter, "durationMs">, now: Millis): boolean =>
  row.expiresAt > now && row.expiresAt <= now + durationMs + clockSkewMs;

/** The account that a counter keeps out once it is full of failures. `userId` is null where the name is no account's. */
export interface KeepsOut {
  readonly userId: string | null;
  /** `name`: counts what strangers typed. `browser`: a browser that the account knows. `account`: all failures in a row. */
  readonly by: "name" | "browser" | "account";
}

const mostKeys = 400;

const found = {
  some: sql`select ${columns} from auth_attempts where attempt_key in (${placesInSql})`,
  locksOf: sql`select ${lockColumns} from auth_attempts where locks_user = $userId limit ${mostKeys}`,
  lockedUsers: sql`select distinct ${stored.pick("locksUser")} from auth_attempts
    where locks_user is not null and locks_user < $before and expires_at > $now order by locks_user desc limit $limit`,
};

/** Owns `auth_attempts`, counters shared by all processes. */
export const createAttemptRepository = (db: Database) => ({
  /** Charges the counter. A charge beyond the limit changes no row and returns none. */
  charge: ({ kind, ...counter }: Counter, now: Millis): Statement => ({
    sql: chargeOf[kind],
    params: { ...counter, now },
  }),

  /** Adds to a counter that exists and is not full, and makes none. */
  add: ({ key, limit, durationMs }: Counter, now: Millis): Statement => ({
    sql: `update auth_attempts set attempts = attempts + 1
          where attempt_key = $key and attempts < $limit and not ${isOver}`,
    params: { key, limit, durationMs, now },
  }),

  /**
   * Counts a charged attempt as failed. Changes nothing when a success has cleared the counter meanwhile. The failure that fills the
   * counter writes down the account that it keeps out.
   */
  fail: ({ key, limit }: Counter, { userId, by }: KeepsOut): Statement => ({
    sql: `update auth_attempts set failures = failures + 1,
            locks_user = case when failures + 1 >= $limit then $userId else locks_user end,
            locks_by = case when failures + 1 >= $limit then $by else locks_by end
          where attempt_key = $key and failures < attempts
          returning ${stored.pick("failures", "expiresAt").list}`,
    params: { key, limit, userId, by },
  }),

  /** Writes down the account that a counter keeps out which is full of charges, of any outcome. */
  keepOut: (key: string, { userId, by }: KeepsOut): Statement => ({
    sql: `update auth_attempts set locks_user = $userId, locks_by = $by where attempt_key = $key`,
    params: { key, userId, by },
  }),

  /** Returns the rows of up to seven counters, in any order. */
  find: (counters: readonly Counter[]) =>
    db.all(found.some, Object.fromEntries(places.map((place, index) => [place, counters[index]?.key ?? ""]))),

  /** Returns the rows of any number of counters, in any order. */
  async findAll(keys: readonly string[]): Promise<readonly LockRow[]> {
    const chunks = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, index) =>
      keys.slice(index * mostKeys, (index + 1) * mostKeys),
    );
    const rows = await Promise.all(
      chunks.map((chunk) =>
        db.all(
          sql`select ${lockColumns} from auth_attempts where attempt_key in (${chunk.map((_, index) => `$k${index}`).join()})`,
          Object.fromEntries(chunk.map((key, index) => [`k${index}`, key])),
        ),
      ),
    );
    return rows.flat();
  },

  /** Returns the counters that keep this user out, or once did. */
  locksOf: (userId: string) => db.all(found.locksOf, { userId }),

  /** Returns the ids of users whom a counter keeps out, the greatest first, less than `before`. */
  async lockedUsers(before: string, now: Millis, limit: number): Promise<readonly string[]> {
    const rows = await db.all(found.lockedUsers, { before, now, limit });
    return rows.flatMap(({ locksUser }) => locksUser ?? []);
  },

  /** Takes one charge back. A counter that falls to zero is deleted, and one cleared meanwhile stays cleared. */
  refund: (key: string): readonly Statement[] => [
    { sql: `delete from auth_attempts where attempt_key = $key and attempts <= 1`, params: { key } },
    { sql: `update auth_attempts set attempts = attempts - 1 where attempt_key = $key`, params: { key } },
  ],

  clear: (key: string): Statement => ({ sql: `delete from auth_attempts where attempt_key = $key`, params: { key } }),
});

export type AttemptRepository = ReturnType<typeof createAttemptRepository>;
