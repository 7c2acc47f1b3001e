/** Why a provider's answer was of no use: a closed set, for logs and metrics (CONTRACT §5, §6). */
export type FailureReason =
  | "provider_insecure_url"
  | "provider_unreachable"
  | "provider_timeout"
  | "provider_redirected"
  | "provider_response_too_large"
  | "provider_status"
  | "provider_response_invalid"
  | "code_rejected"
  | "access_token_missing"
  | "id_token_missing"
  | "id_token_invalid"
  | "id_token_signature"
  | "id_token_issuer"
  | "id_token_audience"
  | "id_token_expired"
  | "id_token_nonce"
  | "id_token_tenant"
  | "keys_invalid"
  | "subject_missing";

/** A failed exchange. The message is for operators: it holds nothing that the provider or the browser sent. */
export class ExchangeFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, details: { readonly detail?: string; readonly cause?: unknown } = {}) {
    super(details.detail === undefined ? reason : `${reason}: ${details.detail}`, { cause: details.cause });
    this.name = "ExchangeFailure";
    this.reason = reason;
  }
}
