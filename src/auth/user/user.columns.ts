import { tableOf, type Column } from "../../drivers/database/index.ts";
import { unshownFields, type StoredUser, type UserRow } from "./user.row.ts";

/** Reads an address that waits for its confirmation: it counts only in the epoch in which it was asked for. */
const whilePending = (column: string): Column => ({
  column,
  read: (user) => `case when ${user}.pending_email_epoch = ${user}.hold_epoch then ${user}.${column} end`,
});

/** Every column of `users`. */
export const storedUser = tableOf<StoredUser>("users", {
  id: "id",
  username: "username",
  usernameKey: "username_key",
  email: "email",
  emailKey: "email_key",
  displayName: "display_name",
  displayNameKey: "display_name_key",
  avatarUrl: "avatar_url",
  pendingEmail: whilePending("pending_email"),
  pendingEmailKey: whilePending("pending_email_key"),
  pendingEmailSince: "pending_email_since",
  pendingEmailEpoch: "pending_email_epoch",
  passwordHash: "password_hash",
  active: "active",
  emailVerifiedAt: "email_verified_at",
  lastLoginAt: "last_login_at",
  lastSeenAt: "last_seen_at",
  timezone: "timezone",
  locale: "locale",
  createdAt: "created_at",
  updatedAt: "updated_at",
  deviceEpoch: "device_epoch",
  holdEpoch: "hold_epoch",
  factors: "factors",
  roles: "roles",
});

/** The columns of an account. */
export const userColumns = storedUser.except(
  "displayNameKey",
  "pendingEmailSince",
  "pendingEmailEpoch",
  "updatedAt",
  "holdEpoch",
);

/** The columns of an account that its own user is shown. */
export const shownColumns = userColumns.except(...unshownFields);

export const profileFields = [
  "username",
  "usernameKey",
  "email",
  "emailKey",
  "displayName",
  "avatarUrl",
  "timezone",
  "locale",
  "pendingEmail",
  "pendingEmailKey",
] as const satisfies readonly (keyof UserRow)[];

/** An undefined field stays as it is. */
export type ProfileChange = { readonly [Field in (typeof profileFields)[number]]?: UserRow[Field] | undefined };
