export type ServerCode =
  | "invalid_payload"
  | "weak_password"
  | "unauthorized"
  | "invalid_credentials"
  | "invalid_reset_token"
  | "invalid_verification_token"
  | "invalid_invitation_token"
  | "invalid_oauth_state"
  | "mfa_required"
  | "invalid_code"
  | "invalid_challenge"
  | "cookies_only"
  | "forbidden"
  | "cross_site_request"
  | "email_not_verified"
  | "reauthentication_required"
  | "mfa_setup_required"
  | "email_login_disabled"
  | "registration_closed"
  | "account_inactive"
  | "oauth_denied"
  | "oauth_email_missing"
  | "not_found"
  | "session_not_found"
  | "identity_not_found"
  | "factor_not_found"
  | "invitation_not_found"
  | "method_not_allowed"
  | "email_taken"
  | "username_taken"
  | "invitation_sign_in_required"
  | "identity_link_required"
  | "identity_already_linked"
  | "factor_exists"
  | "passkey_limit"
  | "last_factor"
  | "last_admin"
  | "last_auth_method"
  | "invitation_accepted"
  | "invitation_expired"
  | "invitation_withdrawn"
  | "uri_too_long"
  | "payload_too_large"
  | "unsupported_media_type"
  | "account_locked"
  | "rate_limited"
  | "headers_too_large"
  | "internal_error"
  | "oauth_exchange_failed"
  | "unavailable"
  | "maintenance"
  | "maintenance_unknown"
  | "overloaded";

/**
 * `network`: no answer came. `timeout`: no answer came in time. `aborted`: the caller's signal ended the call. `invalid_response`:
 * something other than the service answered. A proxy that answers 502, 503 or 504 by itself counts as `unavailable`.
 */
export type LocalCode = "network" | "timeout" | "aborted" | "invalid_response";

/**
 * Why a browser gave no passkey. `passkey_cancelled`: the dialog was closed, or nobody answered in time. `passkey_exists`: the device has a
 * passkey of the account already.
 */
export type PasskeyCode = "passkey_cancelled" | "passkey_exists" | "passkey_unsupported";

export type FieldCode =
  | "required"
  | "invalid_type"
  | "invalid_value"
  | "invalid_characters"
  | "too_short"
  | "too_long"
  | "invalid_email"
  | "look_alike_email"
  | "invalid_username"
  | "foreign_address"
  | "invalid_url"
  | "invalid_timezone"
  | "invalid_locale"
  | "too_common"
  | "breached_password"
  | "contains_identity"
  | "missing_upper"
  | "missing_lower"
  | "missing_number"
  | "missing_symbol";
