import type { Lock } from "../pressure/locks.ts";
import { readRoles } from "../user/roles.ts";
import type { PersonRow } from "./people.repository.ts";

/** Returns a person as lists show them. `locks`: those by which strangers keep the person out. */
export const summaryOf = (row: PersonRow, locks: readonly Lock[] = []) => ({
  id: row.id,
  username: row.username,
  email: row.email,
  displayName: row.displayName,
  avatarUrl: row.avatarUrl,
  timezone: row.timezone,
  locale: row.locale,
  externalId: row.externalId,
  termsVersion: row.termsVersion,
  termsAcceptedAt: row.termsAcceptedAt,
  active: row.active === 1,
  emailVerified: row.emailVerifiedAt !== null,
  lockedUntil: locks.length === 0 ? undefined : Math.max(...locks.map(({ until }) => until)),
  hasFactor: row.factors !== 0,
  roles: readRoles(row.roles),
  createdAt: row.createdAt,
  lastLoginAt: row.lastLoginAt,
  lastSeenAt: row.lastSeenAt,
});
export type PersonSummary = ReturnType<typeof summaryOf>;
