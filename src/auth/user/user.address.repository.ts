import type { Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { reservedForOthers } from "./reservation.repository.ts";
import type { UserRow } from "./user.columns.ts";

/** An address in both its forms, and the user name where that follows the address. */
export type AddressMove = Pick<UserRow, "email" | "emailKey" | "username" | "usernameKey">;

const noPending = "pending_email = null, pending_email_key = null, pending_email_since = null";

/** Writes of an account's address and of the one that waits, each a guard of its batch. */
export const addressStatements = {
  /** Marks the address as proven. Holds only while it is the one that the grant was sent to. */
  verifyEmail: (id: string, emailKey: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set email_verified_at = coalesce(email_verified_at, $now), updated_at = $now
        where id = $id and active = 1 and email_key = $emailKey`,
    params: { id, emailKey, now },
  }),

  /** Gives up the address that waits for its confirmation. Holds only while that address still waits. */
  cancelPending: (id: string, key: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set ${noPending}, updated_at = $now where id = $id and active = 1 and pending_email_key = $key
          and pending_email_epoch = hold_epoch`,
    params: { id, key, now },
  }),

  /** The first lock of a batch that moves the account to the waiting address: holds only in the epoch in which the move was asked for. */
  holdPending: (id: string, key: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set updated_at = $now where id = $id and active = 1 and pending_email_key = $key
          and pending_email_epoch = hold_epoch`,
    params: { id, key, now },
  }),

  /**
   * Moves the account to an address that a mailed token has just proven. Holds only while the account has the address `from`, and nobody
   * else has the new one.
   */
  moveAddress: (id: string, from: string, to: AddressMove, now: Millis): Statement => ({
    guard: true,
    sql: `update users set email = $email, email_key = $emailKey, username = $username, username_key = $usernameKey,
          email_verified_at = $now, ${noPending}, updated_at = $now
        where id = $id and active = 1 and email_key = $from
          and not exists (select 1 from users o where o.id <> $id and (o.email_key = $emailKey or o.username_key = $usernameKey))
          and not ${reservedForOthers("email", "$emailKey")} and not ${reservedForOthers("username", "$usernameKey")}`,
    params: { id, from, ...to, now },
  }),

  /** The owner of an address that was never proven says that the account is not theirs: its password opens it no longer. */
  disown: (id: string, key: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set password_hash = null, device_epoch = device_epoch + 1, updated_at = $now
        where id = $id and active = 1 and email_key = $key and email_verified_at is null`,
    params: { id, key, now },
  }),

  /** Locks the user's row. Holds only while the proven address and the roles are those that were read. */
  holdAddress: ({ id, emailKey, roles }: Pick<UserRow, "id" | "emailKey" | "roles">): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and active = 1 and email_key = $emailKey
        and email_verified_at is not null and roles = $roles`,
    params: { id, emailKey, roles },
  }),
} as const;
