import type { Words } from "./words/index.ts";

/** The refusals that have a sentence of their own. */
const known = [
  "invalid_credentials",
  "account_inactive",
  "registration_closed",
  "oauth_denied",
  "oauth_email_missing",
  "identity_link_required",
  "identity_already_linked",
  "invalid_oauth_state",
  "oauth_exchange_failed",
  "reauthentication_required",
  "last_auth_method",
  "invitation_sign_in_required",
  "invalid_code",
  "invalid_challenge",
  "mfa_setup_required",
  "factor_exists",
  "factor_not_found",
  "passkey_limit",
  "passkey_cancelled",
  "passkey_exists",
  "passkey_unsupported",
  "email_login_disabled",
] as const satisfies readonly (keyof Words["refusals"])[];

/** Describes a refusal by its code: what happened, and what to do. */
export function refusalInWords({ refusals }: Words, code: string): string {
  const name = known.find((each) => each === code);
  return name === undefined ? refusals.other : refusals[name];
}
