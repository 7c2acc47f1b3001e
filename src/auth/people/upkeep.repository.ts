import type { Millis } from "../../core/clock.ts";
import type { SqlValue, Statement } from "../../drivers/database/index.ts";
import { grantKinds } from "../flow/eviction/eviction.rules.ts";
import { grantPurposes } from "../grant/grant.columns.ts";
import { foldedName } from "../user/identifiers.ts";
import { reservedForOthers } from "../user/reservation.repository.ts";
import { storedUser } from "../user/user.columns.ts";
import type { StaffRole } from "../../core/people/staff.ts";
import { actsAs, isAdmin, isNoStaff, type UserRow } from "../user/user.repository.ts";

/** The fields that others than the account's own user may write. */
const writtenFields = [
  "email",
  "emailKey",
  "emailVerifiedAt",
  "username",
  "usernameKey",
  "displayName",
  "avatarUrl",
  "timezone",
  "locale",
  "externalId",
  "roles",
] as const satisfies readonly (keyof UserRow)[];
export type Written = Pick<UserRow, (typeof writtenFields)[number]>;

const lettingIn = grantPurposes
  .filter((purpose) => grantKinds[purpose] === "lets in")
  .map((purpose) => `'${purpose}'`)
  .join(", ");
const columnsOfWritten = writtenFields.map((field) => ({ field, column: storedUser.columnOf(field) }));
const asItWas = columnsOfWritten
  .map(({ field, column }) => `${column} is not distinct from $${field}From`)
  .join(" and ");
const write = `update users set ${columnsOfWritten.map(({ field, column }) => `${column} = $${field}`).join(", ")},
    display_name_key = $displayNameKey, updated_at = $now
  where id = $id and ${asItWas}
    and not exists (select 1 from users o where o.id <> $id
      and (o.email_key = $emailKey or o.username_key = $usernameKey or o.external_id = $externalId))
    and not ${reservedForOthers("email", "$emailKey")} and not ${reservedForOthers("username", "$usernameKey")}`;

/** Guarded writes of `users` by others than the account's own user; they reach disabled accounts, too. */
export const upkeep = {
  /** The first lock of a batch, whatever state the account is in. */
  holdAny: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id`,
    params: { id },
  }),

  /**
   * The first lock of a batch that ends what holds the account. Holds only where there is something: a session, a personal token, an open
   * link of a mail, or an address that waits for its confirmation.
   */
  holdHeld: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and (
            (pending_email is not null and pending_email_epoch = hold_epoch)
            or exists (select 1 from auth_sessions s where s.user_id = users.id and s.revoked_at is null)
            or exists (select 1 from auth_personal_tokens t where t.user_id = users.id and t.revoked_at is null)
            or exists (select 1 from auth_grants g where g.user_id = users.id and g.redeemed_at is null and g.voided_at is null
                 and g.purpose in (${lettingIn})))`,
    params: { id },
  }),

  /** Holds only while the user is active and has the role: staff who lost it or were disabled meanwhile do nothing more. */
  holdRole: (id: string, role: StaffRole): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and ${actsAs("users", role)}`,
    params: { id },
  }),

  /** The first lock of a batch on an account that must be nobody's of the staff. */
  holdNoStaff: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and ${isNoStaff("users")}`,
    params: { id },
  }),

  /** Goes before `holdUnlessLastAdmin`: of two acts that each unseat one of the last two admins the second waits, and finds one left. */
  holdAdmins: (): Statement => ({ sql: `update users set updated_at = updated_at where ${isAdmin("users")}` }),

  /** Holds only where an active admin is left without this user, or this user is no active admin. */
  holdUnlessLastAdmin: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id
            and (not (${isAdmin("users")}) or exists (select 1 from users o where o.id <> $id and ${isAdmin("o")}))`,
    params: { id },
  }),

  /** Enables or disables the account. Holds only while that changes it. */
  setActive: (id: string, to: 0 | 1, now: Millis): Statement => ({
    guard: true,
    sql: `update users set active = $to, updated_at = $now where id = $id and active <> $to`,
    params: { id, to, now },
  }),

  /**
   * Writes the account anew. Holds only while it is as it was read, and while nobody else has the address, the name or the external id: an
   * address or a name that is kept for somebody else counts as theirs.
   */
  write: (from: UserRow, to: Written, now: Millis): Statement => {
    const params: Record<string, SqlValue> = { id: from.id, now, displayNameKey: foldedName(to.displayName) };
    for (const field of writtenFields) {
      params[field] = to[field];
      params[`${field}From`] = from[field];
    }
    return { guard: true, sql: write, params };
  },

  /** Marks the address as proven on somebody's word, without a mail. Holds only while it is that address, and not proven. */
  vouchForEmail: (id: string, emailKey: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set email_verified_at = $now, updated_at = $now
          where id = $id and email_key = $emailKey and email_verified_at is null`,
    params: { id, emailKey, now },
  }),
} as const;
