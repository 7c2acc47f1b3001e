import { hour, type Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "./user.columns.ts";

/** What somebody vouches for: the account with these second factors, password and address. */
type Vouched = Pick<UserRow, "id" | "factors" | "deviceEpoch" | "emailKey">;

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
    to: string,
    signedInAt: Millis | null,
  ): Statement => ({
    guard: true,
    sql: `update users set ${seenAt}, password_hash = $to
        where id = $id and active = 1 and password_hash = $verifiedHash and factors = $factors`,
    params: { id, factors, verifiedHash, to, signedInAt },
  }),

  /** Signs in without a password, while the account is as it was read. Another guard of the batch holds on to what vouches for the user. */
  signedIn: ({ id, factors, deviceEpoch, emailKey }: Vouched, signedInAt: Millis | null): Statement => ({
    guard: true,
    sql: `update users set ${seenAt} where id = $id and active = 1 and factors = $factors
          and device_epoch = $deviceEpoch and email_key = $emailKey`,
    params: { id, factors, deviceEpoch, emailKey, signedInAt },
  }),

  changePassword: (id: string, verifiedHash: string, to: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set password_hash = $to, device_epoch = device_epoch + 1, updated_at = $now
        where id = $id and active = 1 and password_hash = $verifiedHash`,
    params: { id, verifiedHash, to, now },
  }),

  setPassword: (id: string, to: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set password_hash = $to, device_epoch = device_epoch + 1, updated_at = $now
        where id = $id and active = 1`,
    params: { id, to, now },
  }),

  /** `addressProvenAt` is null where the token did not come by mail: then the address is no more proven than before. */
  resetPassword: (id: string, to: string, addressProvenAt: Millis | null, now: Millis): Statement => ({
    guard: true,
    sql: `update users set password_hash = $to, email_verified_at = coalesce(email_verified_at, $addressProvenAt),
          device_epoch = device_epoch + 1, updated_at = $now
        where id = $id and active = 1`,
    params: { id, to, addressProvenAt, now },
  }),
};
