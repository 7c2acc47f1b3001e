import type { UserRow } from "./user.columns.ts";

/** Fields of every new account, unless its maker knows better. */
const atFirst = {
  avatarUrl: null,
  pendingEmail: null,
  pendingEmailKey: null,
  passwordHash: null,
  passwordAtLeast: null,
  active: 1,
  emailVerifiedAt: null,
  lastLoginAt: null,
  lastSeenAt: null,
  timezone: null,
  locale: null,
  deviceEpoch: 0,
  factors: 0,
  roles: "",
  externalId: null,
  termsVersion: null,
  termsAcceptedAt: null,
} as const satisfies Partial<UserRow>;

export const freshUser = (user: Omit<UserRow, keyof typeof atFirst> & Partial<UserRow>): UserRow => ({
  ...atFirst,
  ...user,
});
