import type { Millis } from "../../core/clock.ts";
import { computed, together, type RowOf } from "../../drivers/database/index.ts";
import { activeOf, sessionColumns } from "../session/session.columns.ts";
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
    "impersonatorId",
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

/** The organizations of a person that a token names at most. */
const mostOrganizations = 100;
/**
 * The organization that the browser's session acts for, and those that the person is in: a line each, with id, slug, roles and name. Read
 * only where there are organizations.
 */
export const organizationsOfPerson = computed<{ actsFor: string | null; organizations: string | null }>({
  actsFor: activeOf("p.organization_id"),
  organizations: `(select string_agg(x.line, '\n') from (select o.id || ' ' || o.slug || ' ' || replace(m.roles, ' ', ',') || ' ' || o.name as line
    from organization_members m join organizations o on o.id = m.organization_id
    where m.user_id = s.user_id order by o.id limit ${mostOrganizations}) x)`,
});

export const delegated = together(own, person, userActive, parent);
export const delegatedSecret = sessionColumns.as("s").pick("secretHash", "generation", "rotatedAt");

/** A program's session with its person, and with what the browser's session is above it. */
export type DelegatedRow = RowOf<typeof delegated> & Partial<RowOf<typeof organizationsOfPerson>>;
export type RefreshableDelegation = DelegatedRow & RowOf<typeof delegatedSecret>;
