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

/** What `Retry-After` says. */
export const secondsBetween = (now: Millis, end: Millis): number => Math.max(1, Math.ceil((end - now) / 1000));

/** So many counters a check has at most: the statement that reads them has room for as many. */
const mostCounters = 4;

/** Whether the row counts still. */
export const isLive = (row: AttemptRow, { durationMs }: Counter, now: Millis): boolean =>
  row.expiresAt > now && row.expiresAt <= now + durationMs + clockSkewMs;

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

  /** Counts a charged attempt as failed. Changes nothing when a success has cleared the counter meanwhile. */
  fail: (key: string): Statement => ({
    sql: `update auth_attempts set failures = failures + 1 where attempt_key = $key and failures < attempts
      returning failures, expires_at as "expiresAt"`,
    params: { key },
  }),

  /** The rows of up to four counters, in any order. */
  find: (counters: readonly Counter[]) => {
    const [a, b, c, d] = [...counters.slice(0, mostCounters), ...Array<undefined>(mostCounters)].map(
      (counter) => counter?.key ?? "",
    );
    return db.all<AttemptRow>(
      `select attempt_key as "key", attempts, failures, expires_at as "expiresAt" from auth_attempts
       where attempt_key in ($a, $b, $c, $d)`,
      { a: a ?? "", b: b ?? "", c: c ?? "", d: d ?? "" },
    );
  },

  /** Takes one charge back. A counter that comes to nothing goes, and one cleared meanwhile stays cleared. */
  refund: (key: string): readonly Statement[] => [
    { sql: `delete from auth_attempts where attempt_key = $key and attempts <= 1`, params: { key } },
    { sql: `update auth_attempts set attempts = attempts - 1 where attempt_key = $key`, params: { key } },
  ],

  clear: (key: string): Statement => ({ sql: `delete from auth_attempts where attempt_key = $key`, params: { key } }),
});

export type AttemptRepository = ReturnType<typeof createAttemptRepository>;
