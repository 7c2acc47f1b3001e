import type { Millis } from "../../core/clock.ts";
import { tableOf, type RowOf } from "../../drivers/database/index.ts";

export const grantPurposes = [
  "password_reset",
  "email_verification",
  "email_login",
  /** Gives up a new address that waits for its confirmation. */
  "email_change_cancel",
  "email_change_undo",
  /** Undoes the move of an account that had no second factor then: factors added since are removed, too. */
  "email_change_factor_undo",
  "factor_undo",
  "identity_undo",
] as const;
export type GrantPurpose = (typeof grantPurposes)[number];

/** A whole row of `auth_grants`. */
export interface GrantRecord {
  readonly id: string;
  readonly purpose: GrantPurpose;
  readonly userId: string;
  readonly emailKey: string;
  /** The address as it was typed, where redeeming restores it. */
  readonly email: string | null;
  readonly tokenHash: string;
  /** The hash of the code, with the hash of the secret of the browser that may use it. */
  readonly codeHash: string | null;
  readonly browserHash: string | null;
  /** 0 where the token was answered instead of mailed. */
  readonly mailed: number;
  readonly requestId: string | null;
  readonly requestedAt: Millis | null;
  readonly createdAt: Millis;
  readonly expiresAt: Millis;
  readonly redeemedAt: Millis | null;
  readonly voidedAt: Millis | null;
}

/** Every column of `auth_grants`. */
export const grantColumns = tableOf<GrantRecord>("auth_grants", {
  id: "id",
  purpose: "purpose",
  userId: "user_id",
  emailKey: "email_key",
  email: "email",
  tokenHash: "token_hash",
  codeHash: "code_hash",
  browserHash: "browser_hash",
  mailed: "mailed",
  requestId: "request_id",
  requestedAt: "requested_at",
  createdAt: "created_at",
  expiresAt: "expires_at",
  redeemedAt: "redeemed_at",
  voidedAt: "voided_at",
});
export const foundColumns = grantColumns.as("g").pick("id", "userId", "emailKey", "email", "mailed");
export type GrantRow = RowOf<typeof foundColumns>;

/** Every column of a grant except the hashes of its mail's token, code and browser. */
export const listedColumns = grantColumns.pick(
  "purpose",
  "emailKey",
  "email",
  "createdAt",
  "expiresAt",
  "redeemedAt",
  "voidedAt",
);
export type StoredGrant = RowOf<typeof listedColumns>;
