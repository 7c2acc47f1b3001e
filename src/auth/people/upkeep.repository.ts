import type { Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { isAdmin } from "../user/user.repository.ts";

/** Guarded writes of `users` by others than the account's own user; they reach disabled accounts, too. */
export const upkeep = {
  /** The first lock of a batch, whatever state the account is in. */
  holdAny: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id`,
    params: { id },
  }),

  /** Holds only while the user is an active admin: staff who were demoted or disabled meanwhile do nothing more. */
  holdAdmin: (id: string): Statement => ({
    guard: true,
    sql: `update users set updated_at = updated_at where id = $id and ${isAdmin("users")}`,
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

  /** Marks the address as proven on somebody's word, without a mail. Holds only while it is that address, and not proven. */
  vouchForEmail: (id: string, emailKey: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set email_verified_at = $now, updated_at = $now
          where id = $id and email_key = $emailKey and email_verified_at is null`,
    params: { id, emailKey, now },
  }),
} as const;
