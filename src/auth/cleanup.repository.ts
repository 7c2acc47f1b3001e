import type { AppName } from "../config/index.ts";
import type { Millis } from "../core/clock.ts";
import { computed, oldRows, sql, type Database } from "../drivers/database/index.ts";

/**
 * Deletes and counts old rows of the accounts. How long a session may rest is a setting of the app that opened it: sessions of another app
 * stay until they expire.
 */
export const createCleanupRepository = (db: Database, app: AppName) => {
  const old = (table: string, key: string, condition: string) => oldRows(db, table, key, condition);
  // No index has the time at which somebody was last there, which changes all the time: who rests since then was there before.
  const hasRested = `remembered = 0 and created_at <= $before and last_seen_at <= $before and app = '${app}'`;
  const hasWholeAddress = `short_address is not null and (revoked_at is not null or (${hasRested}))`;
  const wholeAddresses = sql`select ${computed<{ found: number }>({ found: "count(*)" })} from auth_sessions
    where ${hasWholeAddress}`;
  const shortenSome = `update auth_sessions set ip_address = short_address, short_address = null
    where id in (select id from auth_sessions where ${hasWholeAddress} limit $limit)`;

  return {
    expiredSessions: old("auth_sessions", "id", "expires_at <= $before"),
    revokedSessions: old("auth_sessions", "id", "revoked_at is not null and revoked_at <= $before"),
    idleSessions: old("auth_sessions", "id", hasRested),
    /** Shortens, in place of deleting: a session that has rested for too long is kept for a while, or one that the database has ended; its whole address is not. */
    addressesOfEnded: {
      deleteSome: async (before: Millis, limit: number): Promise<number> =>
        (await db.run(shortenSome, { before, limit })).changes,
      count: async (before: Millis): Promise<number> => (await db.get(wholeAddresses, { before }))?.found ?? 0,
    },
    expiredGrants: old("auth_grants", "id", "expires_at <= $before"),
    expiredChallenges: old("auth_challenges", "id", "expires_at <= $before"),
    endedInvitations: old(
      "auth_invitations",
      "id",
      "expires_at <= $before or withdrawn_at <= $before or accepted_at <= $before",
    ),
    unconfirmedTotp: old("auth_totp", "user_id", "confirmed_at is null and created_at <= $before"),
    oldMails: old("mails", "id", "requested_at <= $before"),
    expiredReservations: old("auth_reservations", "reserved_key", "expires_at <= $before"),
    expiredPasskeyAnswers: old("auth_passkey_answers", "challenge_hash", "expires_at <= $before"),
    endedPersonalTokens: old("auth_personal_tokens", "id", "expires_at <= $before or revoked_at <= $before"),
    expiredImpersonations: old("auth_impersonations", "secret_hash", "expires_at <= $before"),
    expiredAttempts: old("auth_attempts", "attempt_key", "expires_at <= $before"),
  };
};

/** Rows that are old once a time is past, which both methods take. */
export type OldRows = ReturnType<typeof oldRows>;
export type CleanupRepository = ReturnType<typeof createCleanupRepository>;
