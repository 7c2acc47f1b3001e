import type { AppName } from "../../config/index.ts";
import type { Millis } from "../../core/clock.ts";
import type { SessionEnd } from "../../core/flaws.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";

/** A session with what the guard needs of its user: the row that decides every protected request. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly remembered: number;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
  readonly revokedAt: Millis | null;
  readonly userActive: number;
  readonly displayName: string;
  /** Read only where a debug event shows it, and so is the name. */
  readonly createdAt?: Millis;
  readonly username?: string;
}

/** The same row with what another app wants to know of its user. */
export interface CallerRow extends SessionRow {
  readonly username: string;
  readonly email: string;
  readonly emailVerifiedAt: Millis | null;
  readonly timezone: string | null;
  readonly roles: string;
  /** When the user was last proven. A session of an earlier release was proven when it was opened. */
  readonly provedAt: Millis;
}

/** What a refresh token is checked against. */
export interface Refreshable {
  readonly username: string;
  readonly secretHash: string;
  readonly generation: number;
  readonly rotatedAt: Millis | null;
}
export type RefreshableSession = SessionRow & Refreshable;

export interface ListedSession {
  readonly id: string;
  readonly remembered: number;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
}

/** Everything that is kept of a session but the hash of its secret. */
export interface StoredSession extends ListedSession {
  readonly app: string;
  readonly provedAt: Millis;
  readonly revokedAt: Millis | null;
  readonly revokedReason: string | null;
}

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly remembered: number;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly now: Millis;
  readonly expiresAt: Millis;
}

const provedAt = "coalesce(s.proved_at, s.created_at)";
const columns = `s.id, s.user_id as "userId", s.remembered, s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
  s.revoked_at as "revokedAt", u.active as "userActive", u.display_name as "displayName"`;
const callerColumns = `u.email, u.email_verified_at as "emailVerifiedAt", u.timezone, u.roles, ${provedAt} as "provedAt"`;
const secretColumns = `u.username, s.secret_hash as "secretHash", s.generation, s.rotated_at as "rotatedAt"`;
// `in ($id)`, not `= $id`: SQLite prepares a join anew on each binding of an equality, at seven times the cost.
const byId = (app: AppName): string =>
  `from auth_sessions s cross join users u where u.id = s.user_id and s.app = '${app}' and s.id in ($id)`;
const forDebugEvents = `, s.created_at as "createdAt", u.username`;

/**
 * Every protected request reads this row: it has no column that the guard does not need, and the app stands in the text because one
 * more value to bind would cost more.
 */
function createFinders(db: Database, app: AppName, debug: boolean) {
  const row = `${columns}${debug ? forDebugEvents : ""}`;
  const sql = {
    find: `select ${row} ${byId(app)}`,
    findRefreshable: `select ${row}, ${secretColumns} ${byId(app)}`,
    findCaller: `select ${row}, u.username, ${callerColumns} ${byId(app)}`,
    findRefreshableCaller: `select ${row}, ${secretColumns}, ${callerColumns} ${byId(app)}`,
  };
  return {
    find: (id: string) => db.get<SessionRow>(sql.find, { id }),
    findRefreshable: (id: string) => db.get<RefreshableSession>(sql.findRefreshable, { id }),
    findCaller: (id: string) => db.get<CallerRow>(sql.findCaller, { id }),
    findRefreshableCaller: (id: string) => db.get<CallerRow & Refreshable>(sql.findRefreshableCaller, { id }),
  };
}

const mostListed = 999;
const end = "revoked_at = $now, revoked_reason = $reason";
const live = `revoked_at is null and expires_at > $now and (remembered = 1 or last_seen_at > $idleSince)`;

/**
 * Owns `auth_sessions`. Methods named for a change return the statement of a batch. A session is found in the app that opened
 * it alone, while what ends the sessions of a user ends those of every app.
 */
export const createSessionRepository = (
  db: Database,
  app: AppName,
  { debug }: { readonly debug: boolean } = { debug: false },
) => ({
  ...createFinders(db, app, debug),

  insert: (session: NewSession): Statement => ({
    sql: `insert into auth_sessions (id, app, user_id, secret_hash, generation, remembered, user_agent, ip_address,
            created_at, proved_at, last_seen_at, expires_at)
          values ($id, $app, $userId, $secretHash, 1, $remembered, $userAgent, $ipAddress, $now, $now, $now, $expiresAt)`,
    params: { ...session, app },
  }),

  /** A compare-and-set on the secret and the generation: of two racing refreshes one wins. */
  rotate: (
    id: string,
    from: { hash: string; generation: number },
    to: string,
    now: Millis,
    idleSince: Millis,
  ): Statement => ({
    guard: true,
    sql: `update auth_sessions set secret_hash = $to, generation = generation + 1, rotated_at = $now, last_seen_at = $now
          where id = $id and secret_hash = $from and generation = $generation and ${live}
            and exists (select 1 from users u where u.id = auth_sessions.user_id and u.active = 1)`,
    params: { id, from: from.hash, generation: from.generation, to, now, idleSince },
  }),

  /** Gives the current session a new secret whatever the old one was, and returns its generation; holds only while it is live. */
  rekey: (id: string, to: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set secret_hash = $to, generation = generation + 1, rotated_at = $now, last_seen_at = $now
          where id = $id and ${live} returning generation`,
    params: { id, to, now, idleSince },
  }),

  touch: (id: string, now: Millis): Statement => ({
    sql: `update auth_sessions set last_seen_at = $now where id = $id and revoked_at is null and last_seen_at < $now`,
    params: { id, now },
  }),

  /** Guard of a batch that acts in the name of a session: holds only while the session is live. */
  hold: (id: string, userId: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set last_seen_at = $now where id = $id and user_id = $userId and ${live}`,
    params: { id, userId, now, idleSince },
  }),

  revoke: (id: string, userId: string, now: Millis, reason: SessionEnd): Statement => ({
    guard: true,
    sql: `update auth_sessions set ${end} where id = $id and user_id = $userId and revoked_at is null`,
    params: { id, userId, now, reason },
  }),

  /** Ends a session that the user's list still shows: active, and their own. */
  revokeListed: (id: string, userId: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set ${end} where id = $id and user_id = $userId and ${live}`,
    params: { id, userId, now, idleSince, reason: "revoked" satisfies SessionEnd },
  }),

  revokeAll: (userId: string, now: Millis, reason: SessionEnd, except = ""): Statement => ({
    sql: `update auth_sessions set ${end} where user_id = $userId and revoked_at is null and id <> $except`,
    params: { userId, now, reason, except },
  }),

  /** Ends the sessions of an account whose address is not proven. */
  revokeUnproven: (userId: string, now: Millis): Statement => ({
    sql: `update auth_sessions set ${end} where user_id = $userId and revoked_at is null
            and exists (select 1 from users u where u.id = $userId and u.email_verified_at is null)`,
    params: { userId, now, reason: "address_not_proven" satisfies SessionEnd },
  }),

  /** Why a session was ended: read for those that were alone, so that nobody else pays for it. */
  async revokedReason(id: string): Promise<string | null> {
    const row = await db.get<{ reason: string | null }>(
      "select revoked_reason as reason from auth_sessions where id = $id",
      { id },
    );
    return row?.reason ?? null;
  },

  async provedAt(id: string): Promise<Millis | undefined> {
    const row = await db.get<{ provedAt: Millis }>(
      `select ${provedAt} as "provedAt" from auth_sessions s where s.id = $id`,
      { id },
    );
    return row?.provedAt;
  },

  prove: (id: string, now: Millis): Statement => ({
    sql: `update auth_sessions set proved_at = $now where id = $id and revoked_at is null`,
    params: { id, now },
  }),

  /** Ends the user's oldest live sessions in this app, so that `most` are left, and returns the `id` of each. */
  revokeOldest: (userId: string, most: number, now: Millis, idleSince: Millis): Statement => ({
    sql: `update auth_sessions set ${end} where user_id = $userId and app = $app and ${live}
            and id not in (select id from auth_sessions where user_id = $userId and app = $app and ${live}
              order by created_at desc, id desc limit $most)
          returning id`,
    params: { userId, app, most, now, idleSince, reason: "too_many_sessions" satisfies SessionEnd },
  }),

  /** Newest first, at most 1,000; the session `current` is among them. */
  listLive: (userId: string, current: string, now: Millis, idleSince: Millis) =>
    db.all<ListedSession>(
      `select id, remembered, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt",
         last_seen_at as "lastSeenAt", expires_at as "expiresAt"
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
         revoked_at as "revokedAt", revoked_reason as "revokedReason"
       from auth_sessions where user_id = $userId order by created_at desc, id desc limit 1000`,
      { userId },
    ),
});

export type SessionRepository = ReturnType<typeof createSessionRepository>;
