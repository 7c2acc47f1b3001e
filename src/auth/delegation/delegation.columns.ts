import type { Millis } from "../../core/clock.ts";
import { computed, together, type RowOf } from "../../drivers/database/index.ts";
import { sessionColumns } from "../session/session.columns.ts";
import { storedUser } from "../user/user.columns.ts";

/** The `app` of sessions that programs hold for people: no account route finds them. */
export const delegatedApp = "oauth2";

const own = sessionColumns
  .as("s")
  .pick(
    "id",
    "userId",
    "clientId",
    "parentId",
    "standing",
    "delegation",
    "remembered",
    "lastSeenAt",
    "expiresAt",
    "revokedAt",
    "revokedReason",
    "cameBy",
    "factor",
    "provedAt",
  );
const person = storedUser
  .as("u")
  .pick(
    "username",
    "email",
    "emailVerifiedAt",
    "displayName",
    "avatarUrl",
    "locale",
    "timezone",
    "roles",
    "externalId",
    "updatedAt",
  );
const userActive = computed<{ userActive: number }>({ userActive: `u.${storedUser.columnOf("active")}` });
/** Null where the browser's session is not there any more. */
const parent = computed<{
  parentExpiresAt: Millis | null;
  parentRevokedAt: Millis | null;
  parentRemembered: number | null;
  parentLastSeenAt: Millis | null;
}>({
  parentExpiresAt: "p.expires_at",
  parentRevokedAt: "p.revoked_at",
  parentRemembered: "p.remembered",
  parentLastSeenAt: "p.last_seen_at",
});

export const delegated = together(own, person, userActive, parent);
export const delegatedSecret = sessionColumns.as("s").pick("secretHash", "generation", "rotatedAt");

/** A program's session with its person, and with what the browser's session is above it. */
export type DelegatedRow = RowOf<typeof delegated>;
export type RefreshableDelegation = DelegatedRow & RowOf<typeof delegatedSecret>;
