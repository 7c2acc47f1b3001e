import { hour, type Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "./user.columns.ts";

/** What somebody vouches for: the account with these second factors, password and address. */
type Vouched = Pick<UserRow, "id" | "factors" | "deviceEpoch" | "emailKey">;

/** A password as it is stored. */
export interface StoredPassword {
  readonly hash: string;
  /** A length that the password has at least. */
  readonly atLeast: number | null;
}

const newPassword =
  "password_hash = $hash, password_at_least = $atLeast, device_epoch = device_epoch + 1, updated_at = $now";
/**
 * A host whose clock is a little behind leaves what another one has written: around midnight the person would come a second time on the same day.
 */
const seenAt = `last_login_at = coalesce($signedInAt, last_login_at),
  last_seen_at = case when last_seen_at >= $signedInAt and last_seen_at - ${hour} <= $signedInAt then last_seen_at
    else coalesce($signedInAt, last_seen_at) end`;

/** Writes of sign-ins and of passwords, each a guard of its batch. */
export const passwordStatements = {
  /**
   * Holds only while the password that was verified is still the stored one, and the second factors are those that the account had
   * then; `to` differs from the hash on a rehash. Without `signedInAt` a second factor is still to come.
   */
  loggedIn: (
    { id, factors }: Pick<UserRow, "id" | "factors">,
    verifiedHash: string,
    to: StoredPassword,
    signedInAt: Millis | null,
  ): Statement => ({
    guard: true,
    sql: `update users set ${seenAt}, password_hash = $hash, password_at_least = $atLeast
        where id = $id and active = 1 and password_hash = $verifiedHash and factors = $factors`,
    params: { id, factors, verifiedHash, ...to, signedInAt },
  }),

  /** Signs in without a password, while the account is as it was read. Another guard of the batch holds on to what vouches for the user. */
  signedIn: ({ id, factors, deviceEpoch, emailKey }: Vouched, signedInAt: Millis | null): Statement => ({
    guard: true,
    sql: `update users set ${seenAt} where id = $id and active = 1 and factors = $factors
          and device_epoch = $deviceEpoch and email_key = $emailKey`,
    params: { id, factors, deviceEpoch, emailKey, signedInAt },
  }),

  changePassword: (id: string, verifiedHash: string, to: StoredPassword, now: Millis): Statement => ({
    guard: true,
    sql: `update users set ${newPassword}
        where id = $id and active = 1 and password_hash = $verifiedHash`,
    params: { id, verifiedHash, ...to, now },
  }),

  setPassword: (id: string, to: StoredPassword, now: Millis): Statement => ({
    guard: true,
    sql: `update users set ${newPassword}
        where id = $id and active = 1`,
    params: { id, ...to, now },
  }),

  /** `addressProvenAt` is null where the token did not come by mail: then the address is no more proven than before. */
  resetPassword: (id: string, to: StoredPassword, addressProvenAt: Millis | null, now: Millis): Statement => ({
    guard: true,
    sql: `update users set ${newPassword}, email_verified_at = coalesce(email_verified_at, $addressProvenAt)
        where id = $id and active = 1`,
    params: { id, ...to, addressProvenAt, now },
  }),

  /**
   * Takes the password away, in a batch that has locked the user: a passkey can go while the batch waits. Holds only while the account has
   * `least` passkeys of the relying party, which sign in without it.
   */
  removePassword: (
    id: string,
    passkeys: { readonly least: number; readonly rpId: string },
    now: Millis,
  ): Statement => ({
    guard: true,
    sql: `update users set password_hash = null, password_at_least = null, device_epoch = device_epoch + 1, updated_at = $now
        where id = $id and active = 1 and password_hash is not null
          and (select count(*) from auth_passkeys p where p.user_id = users.id and p.rp_id = $rpId) >= $least`,
    params: { id, ...passkeys, now },
  }),
};
