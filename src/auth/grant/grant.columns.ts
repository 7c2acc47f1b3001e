import type { Millis } from "../../core/clock.ts";
import { column, tableOf, type RowOf } from "../../drivers/database/index.ts";

export const grantPurposes = [
  "password_reset",
  /** Chooses the password of an account that has none yet, as those who look after accounts asked. */
  "first_password",
  "email_verification",
  "email_login",
  /** Gives up a new address that waits for its confirmation. */
  "email_change_cancel",
  "email_change_undo",
  /** Undoes the move of an account that had no second factor then: factors added since are removed, too. */
  "email_change_factor_undo",
  "factor_undo",
  "identity_undo",
  /** Ends a session that a browser has opened which the account does not know. The request is the session's id. */
  "session_undo",
] as const;
export type GrantPurpose = (typeof grantPurposes)[number];

export const grantColumns = tableOf("auth_grants", {
  id: column<string>("id"),
  purpose: column<GrantPurpose>("purpose"),
  userId: column<string>("user_id"),
  emailKey: column<string>("email_key"),
  /** The address as it was typed, where redeeming restores it. */
  email: column<string | null>("email"),
  tokenHash: column<string>("token_hash"),
  /** The hash of the code, with the hash of the secret of the browser that may use it. */
  codeHash: column<string | null>("code_hash"),
  browserHash: column<string | null>("browser_hash"),
  /** 0 where the token was answered instead of mailed. */
  mailed: column<number>("mailed"),
  requestId: column<string | null>("request_id"),
  requestedAt: column<Millis | null>("requested_at"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
  redeemedAt: column<Millis | null>("redeemed_at"),
  voidedAt: column<Millis | null>("voided_at"),
});
export type GrantRecord = RowOf<typeof grantColumns>;
export const foundColumns = grantColumns.as("g").pick("id", "userId", "emailKey", "email", "mailed", "requestId");
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
