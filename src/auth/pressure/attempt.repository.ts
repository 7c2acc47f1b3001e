import type { Millis } from "../../core/clock.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";

export interface AttemptRow {
  readonly attempts: number;
  /** How many attempts of a streak are known to have failed. */
  readonly failures: number;
  readonly expiresAt: Millis;
}

const insert = `insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at)
  values ($key, 1, $now, $now + $durationMs) on conflict (attempt_key) do update set
    attempts = case when auth_attempts.expires_at <= $now then 1 else auth_attempts.attempts + 1 end,
    failures = case when auth_attempts.expires_at <= $now then 0 else auth_attempts.failures end,
    window_started_at = case when auth_attempts.expires_at <= $now then $now else auth_attempts.window_started_at end,`;
const withinLimit = `where auth_attempts.expires_at <= $now or auth_attempts.attempts < $limit
  returning attempts, expires_at as "expiresAt"`;

/** Owns `auth_attempts`, counters shared by all processes. A charge beyond the limit changes no row and returns none. */
export const createAttemptRepository = (db: Database) => ({
  /** A fixed window from the first attempt. */
  chargeWindow: (key: string, limit: number, durationMs: number, now: Millis): Statement => ({
    guard: true,
    sql: `${insert} expires_at = case when auth_attempts.expires_at <= $now then $now + $durationMs
      else auth_attempts.expires_at end ${withinLimit}`,
    params: { key, limit, durationMs, now },
  }),

  /** Consecutive attempts without a success, forgotten `durationMs` after the last one that counted: a full counter is a lock of that length. */
  chargeStreak: (key: string, limit: number, durationMs: number, now: Millis): Statement => ({
    sql: `${insert} expires_at = $now + $durationMs ${withinLimit}`,
    params: { key, limit, durationMs, now },
  }),

  /** Counts a charged attempt of the streak as failed. Changes nothing when a success has cleared the counter meanwhile. */
  fail: (key: string): Statement => ({
    sql: `update auth_attempts set failures = failures + 1 where attempt_key = $key and failures < attempts
      returning failures, expires_at as "expiresAt"`,
    params: { key },
  }),

  find: (key: string) =>
    db.get<AttemptRow>(
      `select attempts, failures, expires_at as "expiresAt" from auth_attempts where attempt_key = $key`,
      { key },
    ),

  /** Takes one charge back; a counter cleared meanwhile stays cleared. */
  refund: (key: string): Statement => ({
    sql: `update auth_attempts set attempts = attempts - 1 where attempt_key = $key and attempts > 0`,
    params: { key },
  }),

  clear: (key: string): Statement => ({ sql: `delete from auth_attempts where attempt_key = $key`, params: { key } }),
});

export type AttemptRepository = ReturnType<typeof createAttemptRepository>;
