import type { Millis } from "../../core/clock.ts";
import { column, tableOf, type Column, type RowOf } from "../../drivers/database/index.ts";

/** Reads an address that waits for its confirmation: it counts only in the epoch in which it was asked for. */
const whilePending = (name: string): Column => ({
  column: name,
  read: (user) => `case when ${user}.pending_email_epoch = ${user}.hold_epoch then ${user}.${name} end`,
});

/** Every column of `users`. */
export const storedUser = tableOf("users", {
  id: column<string>("id"),
  username: column<string>("username"),
  usernameKey: column<string>("username_key"),
  email: column<string>("email"),
  emailKey: column<string>("email_key"),
  displayName: column<string>("display_name"),
  /** The display name as it is searched; null in rows of a release that did not search. */
  displayNameKey: column<string | null>("display_name_key"),
  avatarUrl: column<string | null>("avatar_url"),
  /** A new address until its mailbox has confirmed it. */
  pendingEmail: column<string | null>(whilePending("pending_email")),
  pendingEmailKey: column<string | null>(whilePending("pending_email_key")),
  pendingEmailSince: column<Millis | null>("pending_email_since"),
  /** The epoch in which the new address was asked for. */
  pendingEmailEpoch: column<number>("pending_email_epoch"),
  passwordHash: column<string | null>("password_hash"),
  /** A length that the password has at least; null where nobody has seen it typed since lengths are kept. */
  passwordAtLeast: column<number | null>("password_at_least"),
  active: column<number>("active"),
  emailVerifiedAt: column<Millis | null>("email_verified_at"),
  lastLoginAt: column<Millis | null>("last_login_at"),
  lastSeenAt: column<Millis | null>("last_seen_at"),
  timezone: column<string | null>("timezone"),
  locale: column<string | null>("locale"),
  createdAt: column<Millis>("created_at"),
  updatedAt: column<Millis>("updated_at"),
  /** Goes up with each new password: earlier device proofs of browsers then prove nothing any more. */
  deviceEpoch: column<number>("device_epoch"),
  /** Goes up with every act that ends other people's hold on the account. */
  holdEpoch: column<number>("hold_epoch"),
  /** Bits of the account's kinds of second factors: see factor/method.ts. */
  factors: column<number>("factors"),
  /** Role names in their stored form: see roles.ts. */
  roles: column<string>("roles"),
  /** The id by which the operator's own programs know the account. */
  externalId: column<string | null>("external_id"),
  /** The terms that the person has accepted last, and when. */
  termsVersion: column<string | null>("terms_version"),
  termsAcceptedAt: column<Millis | null>("terms_accepted_at"),
});

export const userColumns = storedUser.except(
  "displayNameKey",
  "pendingEmailSince",
  "pendingEmailEpoch",
  "updatedAt",
  "holdEpoch",
);

/** An account. */
export type UserRow = RowOf<typeof userColumns>;
/** A whole row of `users`: an account, and columns that only its repositories read and write. */
export type StoredUser = RowOf<typeof storedUser>;

export const shownColumns = userColumns.except(
  "usernameKey",
  "emailKey",
  "pendingEmailKey",
  "passwordAtLeast",
  "deviceEpoch",
  "factors",
  "externalId",
  "termsVersion",
  "termsAcceptedAt",
);

/** The fields of an account that its own user is shown. */
export type ShownUser = RowOf<typeof shownColumns>;

/** The fields that people fill in as they like: nobody is found or reached by them. */
export const freeFields = [
  "displayName",
  "avatarUrl",
  "timezone",
  "locale",
] as const satisfies readonly (keyof UserRow)[];
export type FreeField = (typeof freeFields)[number];

export const profileFields = [
  ...freeFields,
  "username",
  "usernameKey",
  "email",
  "emailKey",
  "pendingEmail",
  "pendingEmailKey",
  "termsVersion",
  "termsAcceptedAt",
] as const satisfies readonly (keyof UserRow)[];

/** An undefined field stays as it is. */
export type ProfileChange = { readonly [Field in (typeof profileFields)[number]]?: UserRow[Field] | undefined };
