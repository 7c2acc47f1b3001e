import type { Millis } from "../../core/clock.ts";
import { computed, tableOf, type RowOf } from "../../drivers/database/index.ts";
import type { Level } from "../factor/level.ts";
import { shownColumns, userColumns } from "../user/user.columns.ts";

/** A whole row of `auth_sessions`. */
export interface SessionRecord extends Level {
  readonly id: string;
  readonly userId: string;
  /** The app that opened it. */
  readonly app: string;
  readonly secretHash: string;
  /** How many secrets the session has had. */
  readonly generation: number;
  readonly rotatedAt: Millis | null;
  readonly remembered: number;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly createdAt: Millis;
  /** When the user was last proven. A session of an earlier release was proven when it was opened. */
  readonly provedAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
  readonly revokedAt: Millis | null;
  readonly revokedReason: string | null;
}

/** Every column of `auth_sessions`. */
export const sessionColumns = tableOf<SessionRecord>("auth_sessions", {
  id: "id",
  userId: "user_id",
  app: "app",
  secretHash: "secret_hash",
  generation: "generation",
  rotatedAt: "rotated_at",
  remembered: "remembered",
  userAgent: "user_agent",
  ipAddress: "ip_address",
  createdAt: "created_at",
  provedAt: { column: "proved_at", read: (session) => `coalesce(${session}.proved_at, ${session}.created_at)` },
  lastSeenAt: "last_seen_at",
  expiresAt: "expires_at",
  revokedAt: "revoked_at",
  revokedReason: "revoked_reason",
  cameBy: "came_by",
  factor: "factor",
});

/** Every column of a session except its user and its secret. */
export const storedColumns = sessionColumns.except("userId", "secretHash", "generation", "rotatedAt");
export type StoredSession = RowOf<typeof storedColumns>;

export const listedColumns = storedColumns.except("app", "cameBy", "provedAt", "revokedAt", "revokedReason");

const session = sessionColumns.as("s");
const user = userColumns.as("u");

/** Lists for a session `s` that is read with its user `u`. */
export const beside = {
  /** The columns that every protected request needs, and no more. */
  guard: session.pick("id", "userId", "remembered", "lastSeenAt", "expiresAt", "revokedAt"),
  guardedUser: computed<{ userActive: number; displayName: string }>({
    userActive: `u.${userColumns.columnOf("active")}`,
    displayName: `u.${userColumns.columnOf("displayName")}`,
  }),
  factor: session.pick("factor"),
  factors: user.pick("factors"),
  createdAt: session.pick("createdAt"),
  username: user.pick("username"),
  level: session.pick("cameBy", "factor"),
  provedAt: session.pick("provedAt"),
  /** The columns that a refresh token is checked against. */
  secret: session.pick("cameBy", "factor", "secretHash", "generation", "rotatedAt"),
  caller: user.pick("email", "emailVerifiedAt", "timezone", "roles"),
  /** The columns of the user that the answer shows, except those that the row has already, or whose names a field of the session has. */
  shown: shownColumns.as("u").except("id", "username", "displayName", "active", "lastSeenAt", "createdAt"),
  shownTimes: computed<{ userLastSeenAt: Millis | null; userCreatedAt: Millis }>({
    userLastSeenAt: `u.${userColumns.columnOf("lastSeenAt")}`,
    userCreatedAt: `u.${userColumns.columnOf("createdAt")}`,
  }),
} as const;
