import type { Millis } from "../../core/clock.ts";

/** An account. */
export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly usernameKey: string;
  readonly email: string;
  readonly emailKey: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  /** A new address until its mailbox has confirmed it. */
  readonly pendingEmail: string | null;
  readonly pendingEmailKey: string | null;
  readonly passwordHash: string | null;
  readonly active: number;
  readonly emailVerifiedAt: Millis | null;
  readonly lastLoginAt: Millis | null;
  readonly lastSeenAt: Millis | null;
  readonly timezone: string | null;
  readonly locale: string | null;
  readonly createdAt: Millis;
  /** Goes up with each new password: earlier device proofs of browsers then prove nothing any more. */
  readonly deviceEpoch: number;
  /** Bits of the account's kinds of second factors: see factor/method.ts. */
  readonly factors: number;
  /** Role names in their stored form: see roles.ts. */
  readonly roles: string;
}

/** Fields of every new account, unless its maker knows better. */
const atFirst = {
  avatarUrl: null,
  pendingEmail: null,
  pendingEmailKey: null,
  passwordHash: null,
  active: 1,
  emailVerifiedAt: null,
  lastLoginAt: null,
  lastSeenAt: null,
  timezone: null,
  locale: null,
  deviceEpoch: 0,
  factors: 0,
  roles: "",
} as const satisfies Partial<UserRow>;

/** An account that is not stored yet. */
export const freshUser = (user: Omit<UserRow, keyof typeof atFirst> & Partial<UserRow>): UserRow => ({
  ...atFirst,
  ...user,
});

/** A whole row of `users`: an account, and columns that only its repositories read and write. */
export interface StoredUser extends UserRow {
  /** The display name as it is searched; null in rows of a release that did not search. */
  readonly displayNameKey: string | null;
  readonly updatedAt: Millis;
  readonly pendingEmailSince: Millis | null;
  /** The epoch in which the new address was asked for. */
  readonly pendingEmailEpoch: number;
  /** Goes up with every act that ends other people's hold on the account. */
  readonly holdEpoch: number;
}

/** Fields of an account that are read and not shown to its own user. */
export const unshownFields = ["usernameKey", "emailKey", "pendingEmailKey", "deviceEpoch", "factors"] as const;

/** The fields of an account that its own user is shown. */
export type ShownUser = Omit<UserRow, (typeof unshownFields)[number]>;
