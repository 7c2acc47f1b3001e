/** The errors of RFC 6749 §§4.1.2.1 and 5.2, OpenID Connect Core §3.1.2.6, RFC 7009, 7591, 8628, 8707 and 9449: what a program is told. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_token"
  | "insufficient_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  | "login_required"
  | "interaction_required"
  | "consent_required"
  | "account_selection_required"
  | "unmet_authentication_requirements"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported"
  | "invalid_request_uri"
  | "invalid_dpop_proof"
  | "use_dpop_nonce"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** Why nobody can be led back to a program: its person gets a page. */
export type NoDestinationFlaw = "unknown_client" | "unknown_redirect_uri" | "not_a_sign_in";

/** The reason behind the refusal of a program that signs people in here: for the log and inspects. The program never learns it. */
export type ProgramFlaw =
  | NoDestinationFlaw
  | "request_over"
  // How a program did not prove who it is.
  | "missing"
  | "malformed_header"
  | "malformed_assertion"
  | "other_method"
  | "wrong_secret"
  | "assertion_expired"
  | "assertion_claims"
  | "assertion_signature"
  | "assertion_audience"
  | "assertion_too_long"
  | "assertion_reused"
  | "keys_unreadable"
  // Why what it showed opens no session.
  | "unknown_code"
  | "code_reused"
  | "code_expired"
  | "other_client"
  | "other_redirect_uri"
  | "other_key"
  | "pkce_downgrade"
  | "pkce_missing"
  | "pkce_mismatch"
  | "session_ended"
  // What its person said, or may not.
  | "role_missing"
  | "consent_denied"
  | "unknown_user_code"
  // Why a sign-out can't be read.
  | "foreign_id_token"
  | "unknown_logout_uri";
