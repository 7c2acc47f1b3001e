import { shortenedAddress, type AddressBits } from "../../core/address/address.ts";
import type { Millis } from "../../core/clock.ts";
import { computed, column, tableOf, together, type RowOf } from "../../drivers/database/index.ts";
import type { Level } from "../factor/level.ts";
import type { ActingSession, ClaimedUser } from "./claims/claims.ts";
import { shownColumns, userColumns } from "../user/user.columns.ts";

/**
 * The `app` of sessions that staff open in somebody's name: they are found only where that is switched on, and count with nothing of the
 * person's own. A release that knows nothing of them finds none.
 */
export const impersonatedApp = "impersonation";

/** Every column of `auth_sessions`. */
export const sessionColumns = tableOf("auth_sessions", {
  id: column<string>("id"),
  userId: column<string>("user_id"),
  /** The app that opened it. */
  app: column<string>("app"),
  secretHash: column<string>("secret_hash"),
  /** How many secrets the session has had. */
  generation: column<number>("generation"),
  rotatedAt: column<Millis | null>("rotated_at"),
  remembered: column<number>("remembered"),
  userAgent: column<string>("user_agent"),
  ipAddress: column<string>("ip_address"),
  /** The address as it is kept once the session has ended; null where that is the same. */
  shortAddress: column<string | null>("short_address"),
  createdAt: column<Millis>("created_at"),
  /** When the user was last proven. A session of an earlier release was proven when it was opened. */
  provedAt: column<Millis>({
    column: "proved_at",
    read: (session) => `coalesce(${session}.proved_at, ${session}.created_at)`,
  }),
  lastSeenAt: column<Millis>("last_seen_at"),
  expiresAt: column<Millis>("expires_at"),
  revokedAt: column<Millis | null>("revoked_at"),
  revokedReason: column<string | null>("revoked_reason"),
  /** Null in a session that an earlier release has opened. */
  cameBy: column<Level["cameBy"]>("came_by"),
  factor: column<Level["factor"]>("factor"),
  /** The member of staff who acts in the person's name, with `app` being `impersonatedApp`; null in every other session. */
  impersonatorId: column<string | null>("impersonator_id"),
  /** The program that the person has let in: null in a session of the account itself. */
  clientId: column<string | null>("client_id"),
  /**
   * The session by which the person let it in, and whether the grant outlives that one. Of a session in somebody's name, the one of the member
   * of staff.
   */
  parentId: column<string | null>("parent_id"),
  standing: column<number | null>("standing"),
  /** What was granted, as a text of JSON. */
  delegation: column<string | null>("delegation"),
  /** The organization that it acts for, which counts only while the person is a member. */
  organizationId: column<string | null>("organization_id"),
});
export type SessionRecord = RowOf<typeof sessionColumns>;

/** The name of the program that holds a session: null in a session of the account itself, and where nobody here has given the program one. */
const clientName = computed<{ clientName: string | null }>({
  clientName: "(select c.name from idp_clients c where c.id = auth_sessions.client_id and c.origin = 'operator')",
});
/** What the member of staff is called who acts in the person's name. */
const impersonatorName = computed<{ impersonatorName: string | null }>({
  impersonatorName: `(select case i.display_name when '' then i.username else i.display_name end
    from users i where i.id = auth_sessions.impersonator_id)`,
});
const stored = sessionColumns.except(
  "userId",
  "secretHash",
  "generation",
  "rotatedAt",
  "parentId",
  "standing",
  "organizationId",
  "shortAddress",
);
const listed = stored.except("app", "cameBy", "provedAt", "revokedAt", "revokedReason", "delegation");

/** The organization that a session acts for; null once its person is no member. */
const actsFor = computed<{ organizationId: string | null }>({
  organizationId: `(select m.organization_id from organization_members m
    where m.organization_id = auth_sessions.organization_id and m.user_id = auth_sessions.user_id)`,
});

/** Every column of a session except its user, its secret and where it hangs. */
export const storedColumns = together(stored, clientName, actsFor, impersonatorName);
export const listedColumns = together(listed, clientName, impersonatorName);

/** Returns the program that holds a session, as answers show it; null for a session of the account itself. */
export const holderOf = ({
  clientId,
  clientName: name,
}: Pick<RowOf<typeof listedColumns>, "clientId" | "clientName">) =>
  clientId === null ? null : { id: clientId, name: name ?? clientId };

/** Whether a member of staff acts in the person's name. Where nobody may, such sessions are not found. */
export const isImpersonated = ({
  impersonatorId = null,
}: {
  readonly impersonatorId?: string | null | undefined;
}): boolean => impersonatorId !== null;

/** Returns the member of staff who acts in the person's name, as answers show it; null in every other session. */
export const impersonatorOf = ({
  impersonatorId: id,
  impersonatorName: name,
}: Pick<RowOf<typeof listedColumns>, "impersonatorId" | "impersonatorName">) =>
  id === null ? null : { id, name: name ?? "" };

/** In one look-up: `verify` reads it with each request. */
export const activeOf = (organizationId: string): string => `(select o.id || ' ' || o.slug || ' ' || m.roles
  from organization_members m join organizations o on o.id = m.organization_id
  where m.organization_id = ${organizationId} and m.user_id = s.user_id)`;

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
  /** Who acts in the person's name; read only where somebody may. */
  impersonator: session.pick("impersonatorId"),
  factor: session.pick("factor"),
  factors: user.pick("factors"),
  createdAt: session.pick("createdAt"),
  username: user.pick("username"),
  level: session.pick("cameBy", "factor"),
  provedAt: session.pick("provedAt"),
  secret: session.pick("cameBy", "factor", "provedAt", "secretHash", "generation", "rotatedAt"),
  caller: user.pick("email", "emailVerifiedAt", "locale", "timezone", "roles"),
  /** The columns of the user that claims are made of, besides those that callers are told anyway. */
  claims: computed<Pick<ClaimedUser, "externalId" | "appMetadata">>({
    externalId: `u.${userColumns.columnOf("externalId")}`,
    appMetadata: "(select m.app_metadata from account_metadata m where m.user_id = u.id)",
  }),
  organization: computed<ActingSession>({ actsFor: activeOf("s.organization_id") }),
  /** The columns of the user that the answer shows, except those that the row has already, or whose names a field of the session has. */
  shown: shownColumns.as("u").except("id", "username", "displayName", "active", "lastSeenAt", "createdAt"),
  shownTimes: computed<{ userLastSeenAt: Millis | null; userCreatedAt: Millis }>({
    userLastSeenAt: `u.${userColumns.columnOf("lastSeenAt")}`,
    userCreatedAt: `u.${userColumns.columnOf("createdAt")}`,
  }),
} as const;

/** What is left of the address once the session has ended. */
export const shortened = "ip_address = coalesce(short_address, ip_address), short_address = null";

/** Returns the address as it is kept of an ended session; null where that is the same. */
export function shortAddressOf(address: string, bits: AddressBits | undefined): string | null {
  if (bits === undefined) return null;
  const short = shortenedAddress(address, bits);
  return short === address ? null : short;
}
