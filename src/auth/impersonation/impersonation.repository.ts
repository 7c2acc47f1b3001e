import type { Millis } from "../../core/clock.ts";
import type { SessionEnd } from "../../core/flaws.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";
import { impersonatedApp, sessionColumns, type SessionRecord } from "../session/session.columns.ts";

/** Every column of `auth_impersonations`. */
const stored = tableOf("auth_impersonations", {
  secretHash: column<string>("secret_hash"),
  staffId: column<string>("staff_id"),
  staffSessionId: column<string>("staff_session_id"),
  userId: column<string>("user_id"),
  reason: column<string>("reason"),
  /** The page of staff that the end leads back to. */
  returnTo: column<string>("return_to"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
  /** What came of it: null until the secret is used. */
  sessionId: column<string | null>("session_id"),
});
export type Impersonation = RowOf<typeof stored>;

const inserted = stored.insert({ sessionId: "null" });
/** Says nothing of the browser and the address of the member of staff: the person sees this row. */
const insertedSession = sessionColumns.insert({
  app: `'${impersonatedApp}'`,
  generation: "1",
  rotatedAt: "null",
  remembered: "0",
  userAgent: "''",
  ipAddress: "''",
  shortAddress: "null",
  createdAt: "$now",
  provedAt: "$now",
  lastSeenAt: "$now",
  revokedAt: "null",
  revokedReason: "null",
  cameBy: "'impersonation'",
  factor: "null",
  clientId: "null",
  standing: "0",
  delegation: "null",
  organizationId: "null",
});
const ofStaff = `id = $id and user_id = $staffId and app = 'admin' and revoked_at is null and expires_at > $now`;

const found = {
  open: sql`select ${stored} from auth_impersonations where secret_hash = $secretHash and session_id is null and expires_at > $now`,
  ofSession: sql`select ${stored.pick("returnTo")} from auth_impersonations where session_id = $sessionId`,
  staffSession: sql`select ${sessionColumns.pick("expiresAt")} from auth_sessions where ${ofStaff}`,
};

/** Owns `auth_impersonations`, and makes the rows of `auth_sessions` that come of it. Methods named for a change return statements of a batch. */
export const createImpersonationRepository = (db: Database) => ({
  /** Returns what a secret is good for that has not been used. */
  open: (secretHash: string, now: Millis) => db.get(found.open, { secretHash, now }),
  ofSession: (sessionId: string) => db.get(found.ofSession, { sessionId }),
  /** Returns the session of a member of staff in the admin app, while it is live. */
  staffSession: (id: string, staffId: string, now: Millis) => db.get(found.staffSession, { id, staffId, now }),

  insert: (row: Omit<Impersonation, "sessionId">): Statement => ({
    sql: `insert into ${inserted.into} values (${inserted.values})`,
    params: inserted.params(row),
  }),

  /** Single use: of any number of requests with the same secret one gets a session. */
  use: (secretHash: string, sessionId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_impersonations set session_id = $sessionId where secret_hash = $secretHash and session_id is null and expires_at > $now`,
    params: { secretHash, sessionId, now },
  }),

  /** Holds only while the session of the member of staff is live. */
  holdStaffSession: (id: string, staffId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_sessions set last_seen_at = last_seen_at where ${ofStaff}`,
    params: { id, staffId, now },
  }),

  /** Ends what the member of staff has open in anybody's name: it is one at a time. */
  endOthers: (staffId: string, now: Millis): Statement => ({
    sql: `update auth_sessions set revoked_at = $now, revoked_reason = $reason
          where impersonator_id = $staffId and client_id is null and revoked_at is null`,
    params: { staffId, now, reason: "too_many_sessions" satisfies SessionEnd },
  }),

  insertSession: ({
    now,
    ...session
  }: Pick<SessionRecord, "id" | "userId" | "secretHash" | "expiresAt" | "parentId" | "impersonatorId"> & {
    readonly now: Millis;
  }): Statement => ({
    sql: `insert into ${insertedSession.into} values (${insertedSession.values})`,
    params: { ...insertedSession.params(session), now },
  }),
});

export type ImpersonationRepository = ReturnType<typeof createImpersonationRepository>;
