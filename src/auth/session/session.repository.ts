import type { AppName } from "../../config/index.ts";
import type { Millis } from "../../core/clock.ts";
import type { SessionEnd } from "../../core/flaws.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Level, WayIn } from "../factor/level.ts";
import type { FactorName } from "../factor/method.ts";
import { pendingEmail } from "../user/user.columns.ts";
import type { ShownUser } from "../user/user.repository.ts";
import { createSessionLists, live } from "./session.list.repository.ts";

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
  /** Read only where a second factor is required: the one that the session was proven by, and those that the account has. */
  readonly factor?: FactorName | null;
  readonly factors?: number;
}

/** The same row with what another app wants to know of its user. */
export interface CallerRow extends SessionRow {
  readonly cameBy: WayIn | null;
  readonly factor: FactorName | null;
  readonly username: string;
  readonly email: string;
  readonly emailVerifiedAt: Millis | null;
  readonly timezone: string | null;
  readonly roles: string;
  /** When the user was last proven. A session of an earlier release was proven when it was opened. */
  readonly provedAt: Millis;
}

/** What a refresh token is checked against. */
export interface Refreshable extends Level {
  readonly username: string;
  readonly secretHash: string;
  readonly generation: number;
  readonly rotatedAt: Millis | null;
}
export type RefreshableSession = Omit<SessionRow, "factor"> & Refreshable;

/** The same with what the answer shows of the user. */
type ShownBeside = Omit<ShownUser, "id" | "active" | "lastSeenAt" | "createdAt"> & {
  readonly userLastSeenAt: Millis | null;
  readonly userCreatedAt: Millis;
};
export type RotatingSession = RefreshableSession & ShownBeside;

/** How fresh and how strong the proof of a session is, and what second factors its account has. */
export interface SessionProofRow {
  readonly provedAt: Millis;
  readonly factor: FactorName | null;
  readonly factors: number;
}

export interface NewSession extends Level {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly remembered: number;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly now: Millis;
  readonly expiresAt: Millis;
}

/** The later time stays: a clock that was behind for a moment must not make a session look as if it had rested since. */
const seenLast = "case when last_seen_at > $now then last_seen_at else $now end";
const provedAt = "coalesce(s.proved_at, s.created_at)";
const columns = `s.id, s.user_id as "userId", s.remembered, s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
  s.revoked_at as "revokedAt", u.active as "userActive", u.display_name as "displayName"`;
const levelColumns = `s.came_by as "cameBy", s.factor`;
const callerColumns = `${levelColumns}, u.email, u.email_verified_at as "emailVerifiedAt", u.timezone, u.roles, ${provedAt} as "provedAt"`;
const secretColumns = `${levelColumns}, u.username, s.secret_hash as "secretHash", s.generation, s.rotated_at as "rotatedAt"`;
const shownColumns = `u.email, ${pendingEmail("u")}, u.avatar_url as "avatarUrl", u.password_hash as "passwordHash",
  u.email_verified_at as "emailVerifiedAt", u.last_login_at as "lastLoginAt", u.last_seen_at as "userLastSeenAt", u.timezone,
  u.locale, u.created_at as "userCreatedAt", u.roles`;
// `in ($id)`, not `= $id`: SQLite prepares a join anew on each binding of an equality, at seven times the cost.
const byId = (app: AppName): string =>
  `from auth_sessions s cross join users u where u.id = s.user_id and s.app = '${app}' and s.id in ($id)`;
const forRequiredFactors = ", s.factor, u.factors";
const forDebugEvents = `, s.created_at as "createdAt", u.username`;

/** What a row has beyond what every request needs. */
interface SessionReadOptions {
  readonly debug: boolean;
  readonly factors: boolean;
}

/**
 * Every protected request reads this row: it has no column that the guard does not need, and the app stands in the text because one
 * more value to bind would cost more.
 */
function createFinders(db: Database, app: AppName, { debug, factors }: SessionReadOptions) {
  const row = `${columns}${debug ? forDebugEvents : ""}${factors ? forRequiredFactors : ""}`;
  const sql = {
    find: `select ${row} ${byId(app)}`,
    findRefreshable: `select ${row}, ${secretColumns} ${byId(app)}`,
    findRotating: `select ${row}, ${secretColumns}, ${shownColumns} ${byId(app)}`,
    findCaller: `select ${row}, u.username, ${callerColumns} ${byId(app)}`,
    findRefreshableCaller: `select ${row}, ${secretColumns}, ${callerColumns} ${byId(app)}`,
  };
  return {
    find: (id: string) => db.get<SessionRow>(sql.find, { id }),
    findRefreshable: (id: string) => db.get<RefreshableSession>(sql.findRefreshable, { id }),
    findRotating: (id: string) => db.get<RotatingSession>(sql.findRotating, { id }),
    findCaller: (id: string) => db.get<CallerRow>(sql.findCaller, { id }),
    findRefreshableCaller: (id: string) => db.get<CallerRow & Refreshable>(sql.findRefreshableCaller, { id }),
  };
}

const end = "revoked_at = $now, revoked_reason = $reason";

/**
 * Owns `auth_sessions`. Methods named for a change return the statement of a batch. A session is found in the app that opened
 * it alone, while what ends the sessions of a user ends those of every app.
 */
export const createSessionRepository = (
  db: Database,
  app: AppName,
  read: SessionReadOptions = { debug: false, factors: false },
) => ({
  ...createFinders(db, app, read),
  ...createSessionLists(db),

  insert: (session: NewSession): Statement => ({
    sql: `insert into auth_sessions (id, app, user_id, secret_hash, generation, remembered, user_agent, ip_address,
            created_at, proved_at, last_seen_at, expires_at, came_by, factor)
          values ($id, $app, $userId, $secretHash, 1, $remembered, $userAgent, $ipAddress, $now, $now, $now, $expiresAt,
            $cameBy, $factor)`,
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
    sql: `update auth_sessions set secret_hash = $to, generation = generation + 1, rotated_at = $now, last_seen_at = ${seenLast}
          where id = $id and secret_hash = $from and generation = $generation and ${live}
            and exists (select 1 from users u where u.id = auth_sessions.user_id and u.active = 1)`,
    params: { id, from: from.hash, generation: from.generation, to, now, idleSince },
  }),

  /** Gives the current session a new secret whatever the old one was, and returns its generation; holds only while it is live. */
  rekey: (id: string, to: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set secret_hash = $to, generation = generation + 1, rotated_at = $now, last_seen_at = ${seenLast}
          where id = $id and ${live} returning generation, came_by as "cameBy", factor`,
    params: { id, to, now, idleSince },
  }),

  touch: (id: string, now: Millis): Statement => ({
    sql: `update auth_sessions set last_seen_at = $now where id = $id and revoked_at is null and last_seen_at < $now`,
    params: { id, now },
  }),

  /** Guard of a batch that acts in the name of a session: holds only while the session is live. */
  hold: (id: string, userId: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set last_seen_at = ${seenLast} where id = $id and user_id = $userId and ${live}`,
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

  proofOf: (id: string) =>
    db.get<SessionProofRow>(
      `select ${provedAt} as "provedAt", s.factor, u.factors from auth_sessions s, users u where s.id = $id and u.id = s.user_id`,
      { id },
    ),

  /** With a factor the session has reached that level from then on; without one it keeps its own. */
  prove: (id: string, factor: FactorName | null, now: Millis): Statement => ({
    sql: `update auth_sessions set proved_at = $now, factor = coalesce($factor, factor) where id = $id and revoked_at is null`,
    params: { id, factor, now },
  }),

  /** Ends the user's oldest live sessions in this app, so that `most` are left, and returns the `id` of each. */
  revokeOldest: (userId: string, most: number, now: Millis, idleSince: Millis): Statement => ({
    sql: `update auth_sessions set ${end} where user_id = $userId and app = $app and ${live}
            and id not in (select id from auth_sessions where user_id = $userId and app = $app and ${live}
              order by created_at desc, id desc limit $most)
          returning id`,
    params: { userId, app, most, now, idleSince, reason: "too_many_sessions" satisfies SessionEnd },
  }),
});

export type SessionRepository = ReturnType<typeof createSessionRepository>;
