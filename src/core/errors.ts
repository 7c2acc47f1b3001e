import { faultsAmong, type FieldFaults } from "./fields.ts";
import type { Flaw } from "./flaws.ts";

/** Every refusal that a client can see: its code, HTTP status and text. Clients depend on the codes, so none is ever renamed. */
const table = {
  invalid_payload: [400, "invalid payload"],
  weak_password: [400, "password is too weak"],
  domain_not_allowed: [400, "addresses of this domain are not allowed"],
  terms_required: [400, "the terms have to be accepted"],
  unauthorized: [401, "unauthorized"],
  invalid_credentials: [401, "invalid credentials"],
  invalid_reset_token: [401, "invalid password reset token"],
  invalid_verification_token: [401, "invalid email verification token"],
  invalid_invitation_token: [401, "invalid invitation token"],
  invalid_oauth_state: [401, "invalid oauth state"],
  mfa_required: [401, "a second factor is required"],
  invalid_code: [401, "invalid code"],
  invalid_challenge: [401, "the sign-in has expired or was begun elsewhere: sign in again"],
  cookies_only: [403, "a browser gets its session in cookies"],
  forbidden: [403, "forbidden"],
  cross_site_request: [403, "cross-site request refused"],
  cross_site_session: [403, "a browser keeps no session for a page of another site"],
  passkey_origin: [403, "passkeys can't be used on pages of this origin"],
  email_not_verified: [403, "email not verified"],
  reauthentication_required: [403, "reauthentication required"],
  mfa_setup_required: [403, "a second factor has to be set up first"],
  impersonated: [403, "staff can't do this in somebody's name"],
  email_login_disabled: [403, "sign-in by email is off"],
  registration_closed: [403, "registration is closed"],
  denied_by_hook: [403, "this was not allowed"],
  provider_required: [403, "an organization wants this address signed in by its own provider"],
  membership_required: [403, "the account is not in the organization of this provider, or has another address"],
  account_inactive: [403, "account is inactive"],
  oauth_denied: [403, "the provider did not allow the sign-in"],
  oauth_email_missing: [403, "the provider gave no usable email address"],
  not_found: [404, "not found"],
  session_not_found: [404, "session not found"],
  identity_not_found: [404, "identity not found"],
  factor_not_found: [404, "second factor not found"],
  invitation_not_found: [404, "invitation not found"],
  personal_token_not_found: [404, "personal token not found"],
  client_not_found: [404, "app not found"],
  organization_not_found: [404, "organization not found"],
  member_not_found: [404, "member not found"],
  domain_not_found: [404, "domain not found"],
  provider_not_enforced: [409, "the organization does not demand its provider"],
  provider_not_found: [404, "the organization has no provider"],
  method_not_allowed: [405, "method not allowed"],
  email_taken: [409, "email already in use"],
  username_taken: [409, "username already in use"],
  external_id_taken: [409, "external id already in use"],
  invitation_sign_in_required: [409, "an account with the invited address exists: sign in to it and accept"],
  identity_link_required: [409, "an account with this email exists: sign in to it and link the provider"],
  identity_already_linked: [409, "identity already linked to another account"],
  factor_exists: [409, "the second factor is set up already"],
  passkey_limit: [409, "no more passkeys can be added"],
  personal_token_limit: [409, "no more personal tokens can be made: revoke one first"],
  last_factor: [409, "the last second factor can't be removed while one is required"],
  own_account: [409, "nobody may do this to their own account: another admin has to"],
  slug_taken: [409, "slug already in use"],
  member_exists: [409, "the person is a member already"],
  domain_taken: [409, "another organization has proven the domain"],
  domain_required: [409, "the organization has to prove a domain first"],
  domain_record_missing: [409, "the proof was not found among the records of the domain"],
  last_owner: [409, "an organization has to keep an owner: make somebody else one first"],
  limit_reached: [409, "no more of these can be made"],
  last_admin: [409, "the last active admin has to stay one"],
  last_auth_method: [409, "the last way to sign in can't be removed"],
  maintenance_forced: [409, "maintenance is forced by the environment until a restart without it"],
  invitation_accepted: [410, "the invitation was accepted already"],
  invitation_expired: [410, "the invitation has expired"],
  invitation_withdrawn: [410, "the invitation was withdrawn"],
  precondition_failed: [412, "the account has been changed since: read it again"],
  uri_too_long: [414, "uri too long"],
  payload_too_large: [413, "payload too large"],
  unsupported_media_type: [415, "unsupported media type"],
  account_locked: [423, "account locked"],
  rate_limited: [429, "rate limited"],
  headers_too_large: [431, "request header fields too large"],
  internal_error: [500, "internal error"],
  domain_lookup_failed: [502, "the records of the domain could not be looked up"],
  oauth_exchange_failed: [502, "the provider's answer could not be used"],
  unavailable: [503, "service unavailable"],
  maintenance: [503, "service unavailable"],
  maintenance_unknown: [503, "service unavailable"],
  overloaded: [503, "too many password checks in progress"],
} as const;

export type ErrorCode = keyof typeof table;
export type StatusOf<Code extends ErrorCode> = (typeof table)[Code][0];

/** Every code with its status and text. */
export const errors: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = table;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(table, text);

/** Why the answer of a sign-in provider was of no use. The log, metrics and inspects show it; the client sees `oauth_exchange_failed`. */
export const exchangeReasons = [
  "provider_insecure_url",
  "provider_unreachable",
  "provider_timeout",
  "provider_redirected",
  "provider_response_too_large",
  "provider_status",
  "provider_response_invalid",
  "metadata_invalid",
  "metadata_issuer",
  "metadata_endpoint",
  "metadata_unsupported",
  "code_rejected",
  "access_token_missing",
  "id_token_missing",
  "id_token_invalid",
  "id_token_signature",
  "id_token_issuer",
  "id_token_audience",
  "id_token_expired",
  "id_token_nonce",
  "id_token_tenant",
  "keys_invalid",
  "userinfo_subject",
  "subject_missing",
  "secret_unreadable",
] as const;
export type ExchangeReason = (typeof exchangeReasons)[number];

interface ChallengeShown {
  readonly id: string;
  readonly methods: readonly string[];
  readonly expiresInSeconds: number;
}

export interface AppErrorDetails {
  /** Each faulty field and its fault; shown to the client. */
  readonly fields?: FieldFaults;
  /** Replaces the usual text: plain text for people, from a program of the operator. */
  readonly message?: string | undefined;
  /** A sentence that helps a developer to correct the request; of what was sent it repeats the origin of a page alone. Shown to the client. */
  readonly detail?: string;
  /** With `mfa_required`: which second factors can answer the challenge, and for how long; shown to the client. */
  readonly challenge?: ChallengeShown;
  /** Replaces the usual status where the caller acts on the status alone: a proxy that has a request verified. */
  readonly status?: 401;
  /** With `provider_required`: where the browser begins the sign-in; shown to the client. */
  readonly redirect?: string;
  /** The account for which the provider has just spoken in this browser: for the cookie that says so, never for the client. */
  readonly vouched?: { readonly userId: string; readonly organizationId: string };
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** The underlying reason: for inspects and the pages of staff, never for the client. */
  readonly flaw?: Flaw;
  /** The provider's failure: for the log, metrics and inspects, never for the client. */
  readonly why?: ExchangeReason;
  /** The account concerned: for inspects only, never for the client. */
  readonly userId?: string | undefined;
  /** The error behind the refusal: for the log only, never for the client. */
  readonly cause?: unknown;
}

/** A refusal that a client can act on. The code is in `reason`, because Elysia claims a field named `code`. */
export class AppError extends Error {
  readonly reason: ErrorCode;
  readonly status: number;
  readonly fields: FieldFaults | undefined;
  readonly detail: string | undefined;
  readonly challenge: ChallengeShown | undefined;
  readonly redirect: string | undefined;
  readonly vouched: AppErrorDetails["vouched"];
  readonly retryAfterSeconds: number | undefined;
  readonly flaw: Flaw | undefined;
  readonly why: ExchangeReason | undefined;
  readonly userId: string | undefined;

  constructor(reason: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? table[reason][1], { cause: details.cause });
    this.name = "AppError";
    this.reason = reason;
    this.status = details.status ?? table[reason][0];
    this.fields = details.fields;
    this.detail = details.detail;
    this.challenge = details.challenge;
    this.redirect = details.redirect;
    this.vouched = details.vouched;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.flaw = details.flaw;
    this.why = details.why;
    this.userId = details.userId;
  }
}

/** Returns the refusal of a request of whose fields at least one is at fault. */
export const invalidFields = (outcomes: Readonly<Record<string, unknown>>): AppError =>
  new AppError("invalid_payload", { fields: faultsAmong(outcomes) });

/** Returns the refusal of a request that lost to others, which have finished: the client may try again at once. */
export const overtaken = (): AppError => new AppError("unavailable", { retryAfterSeconds: 1 });

/** Returns the code of a system error, such as `ENOENT`, to be shown or compared; "unknown error" when there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
