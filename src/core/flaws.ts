/** Why a session does not serve a request. */
export const sessionFlaws = [
  "missing_access_cookie",
  "invalid_access_token",
  "missing_refresh_cookie",
  "invalid_refresh_token",
  "refresh_hash_mismatch",
  "refresh_hash_mismatch_grace",
  "session_not_found",
  "session_revoked",
  "refresh_reused",
  "session_expired",
  "session_idle_expired",
  "user_inactive",
] as const;
export type SessionFlaw = (typeof sessionFlaws)[number];

/** Why a session was ended before its time. `revoked` means by its user, or by somebody who looks after the account. */
export type SessionEnd =
  | "logged_out"
  | "revoked"
  | "refresh_reused"
  | "too_many_sessions"
  | "password_changed"
  | "password_reset"
  | "address_not_proven"
  | "address_changed"
  | "address_change_undone"
  | "address_rejected"
  | "account_disabled"
  | "factors_reset"
  | "identity_taken_back"
  | "sign_in_rejected"
  | "parent_ended"
  | "roles_changed"
  | "client_ended"
  | "client_withdrawn"
  | "code_reused";

/** The proof by which a session serves a request. */
export type SessionProof = "valid_access_token" | "valid_refresh_token";

/** The proof by which somebody was let in, or an account was made. */
export type SignInProof =
  | "valid_password"
  | "valid_passkey"
  | "valid_identity"
  | "valid_mail"
  | "valid_factor"
  | "valid_invitation"
  | "new_account";

/** Why a password check failed, or a sign-in by mail, which counts as one. */
export const loginFlaws = [
  "unknown_login",
  "no_password",
  "wrong_password",
  "wrong_current_password",
  "inactive",
  "changed_meanwhile",
  "logins_blocked",
  "address_limited",
  "no_mailed_code",
  "wrong_mailed_code",
  "mailed_code_used_up",
  "no_mailed_link",
] as const;
export type LoginFlaw = (typeof loginFlaws)[number];

/** Why a second factor proved nothing, or why the challenge that it answered was invalid. */
export const factorFlaws = [
  "wrong_code",
  "code_of_other_time",
  "code_used",
  "no_such_factor",
  "unknown_credential",
  "foreign_user_handle",
  "malformed_credential",
  "wrong_ceremony",
  "wrong_origin",
  "cross_origin",
  "wrong_rp_id",
  "wrong_signature",
  "counter_fell_back",
  "not_verified",
  "authenticator_not_allowed",
  "challenge_unknown",
  "challenge_expired",
  "challenge_of_other_browser",
  "challenge_used_up",
  "challenge_overtaken",
] as const;
export type FactorFlaw = (typeof factorFlaws)[number];

/** Why a program of the operator let somebody not pass: it said so, or gave no answer and that counts as no. */
export type HookFlaw = "denied_by_hook" | "hook_failed";

/** The reason behind a refusal: for inspects, the log and the audit log. The client never learns it. */
export type Flaw = SessionFlaw | LoginFlaw | FactorFlaw | HookFlaw;

/** Outcomes of a request's cookies, in the order in which they are checked, and of a login or a registration. */
export const authOutcomes = [
  "access_cookie_rejected",
  "refresh_cookie_rejected",
  "refresh_cookie_recovered",
  "request_auth_failed",
  "request_auth_accepted",
  "login_accepted",
  "login_refused",
  "registration_accepted",
  "registration_refused",
] as const;

export interface SessionDebug {
  readonly outcome: (typeof authOutcomes)[number];
  /** One word of a closed set: the proof that was accepted, or why the request was refused. */
  readonly reason: string;
  /** The account concerned, where there is no session. */
  readonly userId?: string | undefined;
  /** Undefined where there is no session. Times are epoch milliseconds. */
  readonly session:
    | {
        readonly id: string;
        readonly userId: string;
        /** Like `createdAt`, present only with APP_DEBUG. */
        readonly username?: string;
        readonly createdAt?: number;
        readonly remembered: number;
        readonly lastSeenAt: number;
        readonly expiresAt: number;
        readonly revokedAt: number | null;
      }
    | undefined;
}
