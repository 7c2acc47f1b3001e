import type { Millis } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { WayIn } from "../factor/level.ts";
import type { FactorName } from "../factor/method.ts";

export interface ListedSession {
  readonly id: string;
  readonly remembered: number;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
  readonly factor: FactorName | null;
}

/** Everything that is kept of a session but the hash of its secret. */
export interface StoredSession extends ListedSession {
  readonly app: string;
  readonly cameBy: WayIn | null;
  readonly provedAt: Millis;
  readonly revokedAt: Millis | null;
  readonly revokedReason: string | null;
}

const mostListed = 999;
/** A condition: the session has not ended. */
export const live = `revoked_at is null and expires_at > $now and (remembered = 1 or last_seen_at > $idleSince)`;

/** The sessions of a user, to be shown. */
export const createSessionLists = (db: Database) => ({
  /** Newest first, at most 1,000; the session `current` is among them. */
  listLive: (userId: string, current: string, now: Millis, idleSince: Millis) =>
    db.all<ListedSession>(
      `select id, remembered, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt",
         last_seen_at as "lastSeenAt", expires_at as "expiresAt", factor
       from auth_sessions where user_id = $userId and ${live} and (id = $current or id in
         (select id from auth_sessions where user_id = $userId and ${live}
          order by created_at desc, id desc limit ${mostListed}))
       order by created_at desc, id desc`,
      { userId, current, now, idleSince },
    ),

  /** Of every app, ended ones too, newest first, at most 1,000. */
  listStored: (userId: string) =>
    db.all<StoredSession>(
      `select id, app, remembered, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt",
         coalesce(proved_at, created_at) as "provedAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt",
         revoked_at as "revokedAt", revoked_reason as "revokedReason", came_by as "cameBy", factor
       from auth_sessions where user_id = $userId order by created_at desc, id desc limit 1000`,
      { userId },
    ),
});
