import type { AppError } from "../../core/errors.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import type { OAuthCode, ProgramFlaw } from "../../core/program.flaws.ts";
import { toAppError } from "../../http/index.ts";

/** The HTTP status of each error where a program gets it. */
const statuses: Readonly<Record<OAuthCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  access_denied: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  login_required: 400,
  interaction_required: 400,
  consent_required: 400,
  account_selection_required: 400,
  unmet_authentication_requirements: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  invalid_request_uri: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
};

/** Why, for logs, metrics and inspects. */
export type Why = ProgramFlaw | SessionFlaw;

/** A refusal in the form of RFC 6749. The description repeats nothing that was sent. */
export class OAuthError extends Error {
  readonly code: OAuthCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly why: Why | undefined;

  constructor(
    code: OAuthCode,
    description: string,
    details: { readonly status?: number; readonly retryAfterSeconds?: number | undefined; readonly why?: Why } = {},
  ) {
    super(description);
    this.name = "OAuthError";
    this.code = code;
    this.status = details.status ?? statuses[code];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.why = details.why;
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError("invalid_request", description);
export const invalidGrant = (description: string, why: Why): OAuthError =>
  new OAuthError("invalid_grant", description, { why });

/** Returns the refusal of RFC 6749 for a thrown error; the error itself where it is a fault of ours, with its cause. */
export function toOAuthError(error: unknown): OAuthError | AppError {
  if (error instanceof OAuthError) return error;
  const refusal = toAppError(error);
  const { status, retryAfterSeconds, message } = refusal;
  if (refusal.reason === "rate_limited")
    return new OAuthError("temporarily_unavailable", "Too many requests.", { status: 429, retryAfterSeconds });
  if (refusal.reason === "denied_by_hook") return new OAuthError("access_denied", message);
  if (status === 413 || status === 415 || status === 400)
    return new OAuthError("invalid_request", refusal.detail ?? message, { status: status === 413 ? 413 : 400 });
  return refusal;
}
