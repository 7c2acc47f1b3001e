import type { UserRow } from "./user.row.ts";

export const profileColumns = [
  ["username", "username"],
  ["usernameKey", "username_key"],
  ["email", "email"],
  ["emailKey", "email_key"],
  ["displayName", "display_name"],
  ["avatarUrl", "avatar_url"],
  ["timezone", "timezone"],
  ["locale", "locale"],
  ["pendingEmail", "pending_email"],
  ["pendingEmailKey", "pending_email_key"],
] as const satisfies readonly (readonly [keyof UserRow, string])[];

/** What is undefined stays as it is. */
export type ProfileChange = {
  readonly [Field in (typeof profileColumns)[number][0]]?: UserRow[Field] | undefined;
};

/** A select list's word for an address that waits for its confirmation: it counts only in the epoch in which it was asked for. */
const whilePending = (user: string, column: string): string =>
  `case when ${user}.pending_email_epoch = ${user}.hold_epoch then ${user}.${column} end`;
export const pendingEmail = (user: string): string => `${whilePending(user, "pending_email")} as "pendingEmail"`;
const pendingEmailKey = (user: string): string => `${whilePending(user, "pending_email_key")} as "pendingEmailKey"`;

/** The select list of a whole row. */
export const columns = `id, username, username_key as "usernameKey", email, email_key as "emailKey",
  ${pendingEmail("users")}, ${pendingEmailKey("users")},
  display_name as "displayName", avatar_url as "avatarUrl", password_hash as "passwordHash", active,
  email_verified_at as "emailVerifiedAt", last_login_at as "lastLoginAt", last_seen_at as "lastSeenAt",
  timezone, locale, created_at as "createdAt", device_epoch as "deviceEpoch", factors, roles`;
