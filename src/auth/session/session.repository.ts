import type { AppName } from "../../config/index.ts";
import type { AddressBits } from "../../core/address/address.ts";
import type { Millis } from "../../core/clock.ts";
import type { SessionEnd } from "../../core/flaws.ts";
import {
  type Columns,
  type Database,
  type RowOf,
  type Statement,
  noColumns,
  sql,
  together,
} from "../../drivers/database/index.ts";
import type { ActingSession } from "./claims/claims.ts";
import type { FactorName } from "../factor/method.ts";
import {
  type SessionRecord,
  beside,
  impersonatedApp,
  sessionColumns,
  shortAddressOf,
  shortened,
} from "./session.columns.ts";
import { createSessionLists, live } from "./session.lists.repository.ts";

const guarded = together(beside.guard, beside.guardedUser);
const secret = together(beside.secret, beside.username);
const caller = together(beside.level, beside.username, beside.caller, beside.provedAt);
const forRequiredFactors = together(beside.factor, beside.factors);
const forDebugEvents = together(beside.createdAt, beside.username);
const proof = together(beside.provedAt, beside.level, beside.factors, beside.impersonator);

/**
 * A session with the columns of its user that the guard needs: this row decides every protected request. Columns for debug events are read
 * only where there are some, and second factors only where one is required.
 */
export type SessionRow = RowOf<typeof guarded> &
  Partial<RowOf<typeof beside.impersonator>> &
  Partial<RowOf<typeof forDebugEvents>> &
  Partial<RowOf<typeof forRequiredFactors>>;

/** The guard's row with the columns of the user that other apps want. Those of claims are read only where some are asked for. */
export type CallerRow = SessionRow &
  RowOf<typeof caller> &
  Partial<RowOf<typeof beside.claims>> &
  Partial<ActingSession>;

export type Refreshable = RowOf<typeof secret>;
export type RefreshableSession = Omit<SessionRow, "factor"> & Refreshable;

/** A session that is refreshed, with the columns of its user that the answer shows. */
export type RotatingSession = RefreshableSession & RowOf<typeof beside.shown> & RowOf<typeof beside.shownTimes>;

/** How fresh and how strong the proof of a session is, how its user came, and which second factors its account has. */
export type SessionProofRow = RowOf<typeof proof>;

export interface NewSession extends Pick<
  SessionRecord,
  "id" | "userId" | "secretHash" | "remembered" | "userAgent" | "ipAddress" | "expiresAt" | "cameBy" | "factor"
> {
  readonly now: Millis;
}

/** The later time stays: a clock that was behind for a moment must not make a session look as if it had rested since. */
const seenLast = "case when last_seen_at > $now then last_seen_at else $now end";
// `in ($id)`, not `= $id`: SQLite prepares a join anew on each binding of an equality, at seven times the cost.
const byId = (app: AppName, impersonation: boolean): string =>
  `from auth_sessions s cross join users u where u.id = s.user_id and s.app ${impersonation ? `in ('${app}', '${impersonatedApp}')` : `= '${app}'`} and s.id in ($id)`;

const inserted = sessionColumns.insert({
  generation: "1",
  createdAt: "$now",
  provedAt: "$now",
  lastSeenAt: "$now",
  rotatedAt: "null",
  revokedAt: "null",
  revokedReason: "null",
  impersonatorId: "null",
  clientId: "null",
  parentId: "null",
  standing: "null",
  delegation: "null",
  organizationId: "null",
});
const insertSession = `insert into ${inserted.into} values (${inserted.values})`;
const rekeySession = sql`update auth_sessions set secret_hash = $to, generation = generation + 1, rotated_at = $now, last_seen_at = ${seenLast}
  where id = $id and ${live} returning ${sessionColumns.pick("generation", "cameBy", "factor", "provedAt")}`;
const proofOf = sql`select ${proof} from auth_sessions s, users u where s.id = $id and u.id = s.user_id`;
const endOf = sql`select ${sessionColumns.pick("revokedReason")} from auth_sessions where id = $id`;

/** Optional columns of a row, beyond those that every request needs. */
interface SessionReadOptions {
  readonly debug: boolean;
  readonly factors: boolean;
  readonly claims: boolean;
  readonly organizations: boolean;
  /** Whether sessions of staff in somebody's name are found as well. */
  readonly impersonation: boolean;
}

/**
 * Every protected request reads this row: it has no column that the guard does not need, and the app is part of the text because one more
 * value to bind costs more.
 */
function createFinders(db: Database, app: AppName, read: SessionReadOptions) {
  const { debug, factors, claims, organizations, impersonation } = read;
  const from = byId(app, impersonation);
  const row: Columns<SessionRow> = together(
    guarded,
    impersonation ? beside.impersonator : noColumns,
    debug ? forDebugEvents : noColumns,
    factors ? forRequiredFactors : noColumns,
  );
  const called: Columns<RowOf<typeof caller> & Partial<RowOf<typeof beside.claims>> & Partial<ActingSession>> =
    together(caller, claims ? beside.claims : noColumns, organizations ? beside.organization : noColumns);
  const found = {
    session: sql`select ${row} ${from}`,
    refreshable: sql`select ${row}, ${secret} ${from}`,
    rotating: sql`select ${row}, ${secret}, ${beside.shown}, ${beside.shownTimes} ${from}`,
    caller: sql`select ${row}, ${called} ${from}`,
    refreshableCaller: sql`select ${row}, ${secret}, ${called} ${from}`,
  };
  return {
    find: (id: string) => db.get(found.session, { id }),
    findRefreshable: (id: string) => db.get(found.refreshable, { id }),
    findRotating: (id: string) => db.get(found.rotating, { id }),
    findCaller: (id: string) => db.get(found.caller, { id }),
    findRefreshableCaller: (id: string) => db.get(found.refreshableCaller, { id }),
  };
}

const end = `revoked_at = $now, revoked_reason = $reason, ${shortened}`;

/**
 * Owns `auth_sessions`. Methods named for a change return the statement of a batch. A session is found only in the app that opened it; a
 * statement that ends the sessions of a user ends those of every app.
 */
export const createSessionRepository = (
  db: Database,
  app: AppName,
  read: SessionReadOptions = {
    debug: false,
    factors: false,
    claims: false,
    organizations: false,
    impersonation: false,
  },
  bits?: AddressBits,
) => ({
  ...createFinders(db, app, read),
  ...createSessionLists(db),

  insert: ({ now, ...session }: NewSession): Statement => ({
    sql: insertSession,
    params: { ...inserted.params({ ...session, app, shortAddress: shortAddressOf(session.ipAddress, bits) }), now },
  }),

  /** Compares and sets secret and generation: of two racing refreshes one wins. */
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

  /** Gives the session a new secret whatever the old one was, and returns its generation; holds only while the session is live. */
  rekey: (id: string, to: string, now: Millis, idleSince: Millis): Statement => ({
    guard: true,
    sql: rekeySession,
    params: { id, to, now, idleSince },
  }),

  touch: (id: string, now: Millis): Statement => ({
    sql: `update auth_sessions set last_seen_at = $now where id = $id and revoked_at is null and last_seen_at < $now`,
    params: { id, now },
  }),

  /** Guards a batch that acts in the name of a session: holds only while the session is live. */
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

  /** Ends a session that the user's list still shows: active, and the user's own. */
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

  /** Returns why a session was ended: read only for ended sessions, so that live ones don't pay for it. */
  async revokedReason(id: string): Promise<string | null> {
    return (await db.get(endOf, { id }))?.revokedReason ?? null;
  },

  proofOf: (id: string) => db.get(proofOf, { id }),

  /** Records a new proof. A factor raises the session to that level; without one the session keeps its level. */
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
