import type { ErrorCode, ExchangeReason } from "../../core/errors.ts";
import { programReasons } from "../../core/people/program.flaws.ts";
import type { Flaw, SessionProof, SignInProof } from "../../core/flaws.ts";

/** The reason of an inspect that failed without an error that tells the cause. */
type Ending =
  | "job_retried"
  | "job_archived"
  | "job_failed"
  | "job_dropped"
  | "schedule_failed"
  | "command_failed"
  | "not_ready";

type Reason = ErrorCode | ExchangeReason | Flaw | SessionProof | SignInProof | Ending;

const words: Readonly<Record<Reason, string>> = {
  missing_access_cookie: "The request carried no access token and no refresh cookie: nobody is signed in there.",
  invalid_access_token:
    "The access token had expired, was changed or was signed with another key, and no refresh cookie stood in for it.",
  missing_refresh_cookie: "The request carried no refresh cookie.",
  invalid_refresh_token: "The refresh token was not one that this service issued, or its secret was wrong.",
  refresh_hash_mismatch:
    "The refresh token had been swapped out long ago: it may be in two hands. A refresh with it ends the session.",
  refresh_hash_mismatch_grace:
    "The refresh token had been swapped out a moment ago, as when two requests refresh at once.",
  session_not_found: "There is no such session, or it has been cleaned up since.",
  session_revoked:
    "The session was ended: by a logout, by its user, by a new password, or by whoever looks after the account.",
  refresh_reused:
    "The session was ended because a refresh token of it that had been swapped out came back: it was in two hands.",
  session_expired: "The session had reached its absolute end.",
  session_idle_expired: "The session was not used for longer than the idle time allows.",
  user_inactive: "The account is switched off.",
  valid_access_token: "The access token was good, and so was its session.",
  valid_refresh_token: "The refresh token was good, and so was its session.",
  valid_password: "The password was right, and the account lets its user in.",
  valid_passkey: "The passkey was right, had checked who was using it, and the account lets its user in.",
  valid_identity: "The provider vouched for the user, and the account lets them in.",
  valid_factor: "The second factor was right, and the account lets its user in.",
  valid_mail: "The link or the code of a mail was right, and the account lets its user in.",
  valid_invitation: "The invitation was good.",
  new_account: "An account was made.",
  unknown_login: "No account has that user name or address.",
  no_password: "The account has no password: it signs in through a provider.",
  address_limited: "Too many logins from that address have failed, whatever the names.",
  wrong_password: "The password was wrong.",
  wrong_current_password: "The current password, asked for again, was wrong.",
  inactive: "The password was right, but the account is switched off.",
  changed_meanwhile: "The password was changed by another request while it was being checked.",
  logins_blocked:
    "The password was right, but after 100 wrong ones in a row it is taken only from a browser that has signed in before.",
  no_mailed_code:
    "This browser has no mailed code for that login: none was asked for here, it was used, or it has expired.",
  wrong_mailed_code: "The mailed code was wrong.",
  mailed_code_used_up: "The mailed code had been tried wrongly as often as it may be.",
  no_mailed_link: "The link was unknown, used or expired, or void since the account changed.",
  wrong_code: "The code was wrong.",
  code_used: "The code was right, and had been used before.",
  no_such_factor: "The account does not have the second factor that was tried.",
  unknown_credential: "The passkey is none of the account's.",
  foreign_user_handle: "The passkey was shown in the name of another account, or of none.",
  malformed_credential: "What came was no answer of an authenticator, or held a key of a kind that is not taken.",
  wrong_ceremony:
    "The answer was to another question: to make a passkey, where one was to be used, or the other way round.",
  wrong_origin: "The passkey was used on a page of another origin.",
  cross_origin: "The passkey was used on a page inside a page of another origin.",
  wrong_rp_id: "The passkey was made for another site.",
  wrong_signature: "The passkey's signature did not fit its public key.",
  counter_fell_back: "The passkey's counter was not higher than before: the passkey may have been copied.",
  not_verified: "The passkey did not check who was using it.",
  challenge_unknown: "There is no such challenge: it was answered, or is void since the account changed.",
  challenge_expired: "The challenge had expired.",
  challenge_of_other_browser: "The challenge was given to another browser.",
  challenge_used_up: "The challenge had taken as many wrong answers as it does.",
  challenge_overtaken: "The account was changed by another request while the answer was being checked.",
  invalid_payload: "The body or a parameter was not what the route takes.",
  weak_password: "The new password does not satisfy the password rules.",
  unauthorized: "Nobody was signed in.",
  invalid_credentials: "The login and password did not fit together.",
  invalid_reset_token: "The reset token was unknown, used, expired or replaced by a newer one.",
  invalid_verification_token: "The verification token was unknown, used, expired or replaced by a newer one.",
  invalid_invitation_token: "The invitation's token was never mailed, or its invitation has been deleted.",
  invitation_accepted: "The invitation had been accepted before.",
  invitation_expired: "The invitation, or the mail that the token came from, had expired.",
  invitation_withdrawn: "The invitation was withdrawn, or whoever invited may no longer do so.",
  invitation_not_found: "There is no such invitation.",
  invitation_sign_in_required: "An account has the invited address: only somebody signed in to it accepts for it.",
  cookies_only: "A browser, or a client that sent a session's cookies, asked for tokens in the body.",
  forbidden: "The signed-in user lacks the role, or the service the scope, that was asked for.",
  cross_site_request: "A page of another site sent it.",
  email_not_verified: "Whoever it was is known, but the address is not verified yet.",
  reauthentication_required: "The user has to be proven anew for this: the last proof is too old.",
  not_found: "There is nothing at that path.",
  method_not_allowed: "The path does not take that method.",
  email_taken: "Another account has that address.",
  username_taken: "Another account has that user name.",
  denied_by_hook: "A hook, which is a program of the operator, said no.",
  hook_failed: "A hook, which is a program of the operator, gave no answer that can be read, and that counts as no.",
  personal_token_not_found: "The account has no such personal token, or it has ended.",
  client_not_found: "No program with that id holds anything for the account.",
  personal_token_limit: "The account has as many personal tokens as an account can have.",
  organization_not_found: "There is no such organization, or the caller is no member of it.",
  member_not_found: "The person is no member of the organization.",
  provider_required:
    "The organization that the person is in takes its own provider alone for addresses below its domain.",
  membership_required:
    "The provider of an organization spoke for an account that is not in it, or has an address of another domain.",
  provider_not_enforced: "The organization does not demand its provider, so nobody has to come by it.",
  provider_not_found: "The organization has no provider.",
  domain_required: "The organization has no proven domain, without which it can't have a provider.",
  secret_unreadable:
    "The client secret of the provider was sealed by an APP_KEY that is not known any more: see APP_PREVIOUS_KEYS.",
  domain_not_found: "The organization claims no such domain.",
  domain_taken: "Another organization has proven that it has the domain.",
  domain_record_missing: "The records of the domain did not hold the proof.",
  domain_lookup_failed: "No server of names said what the records of the domain hold.",
  slug_taken: "Another organization has that slug, or one that looks like it.",
  member_exists: "The person is a member of the organization already.",
  last_owner: "An organization would have been left without an owner.",
  limit_reached: "The person, or the organization, has as many of these as ORGANIZATIONS_MAX_… allows.",
  external_id_taken: "Another account has that external id.",
  precondition_failed: "The account was changed after the state that the request named in If-Match.",
  uri_too_long: "The path was longer than 2 KiB.",
  payload_too_large: "The body was larger than 16 KiB, or 64 KiB where metadata of accounts is taken.",
  unsupported_media_type: "The body was not JSON.",
  account_locked: "Too many wrong passwords had locked the account.",
  rate_limited: "Too many attempts from that address.",
  headers_too_large: "The request had too many headers.",
  internal_error: "Something failed that nobody foresaw: the error below says what.",
  unavailable: "The database or another dependency could not take the request: the error below says why.",
  overloaded: "Too many passwords were being checked at once.",
  maintenance: "Maintenance was on.",
  maintenance_unknown: "Whether maintenance is on could not be read for too long, which counts as on.",
  maintenance_forced: "APP_MAINTENANCE_ENABLED holds maintenance on until the process starts without it.",
  domain_not_allowed: "AUTH_REGISTRATION_DOMAINS does not have the domain of the address.",
  terms_required: "The person has not accepted APP_TERMS_VERSION: whoever came by a provider is asked on a page.",
  registration_closed: "AUTH_REGISTRATION_ENABLED is false: nobody makes an account here, and whoever came has none.",
  account_inactive: "The provider knew the user, but the account here is switched off.",
  mfa_required: "The first proof was right, and the account asks for a second factor.",
  invalid_code: "The answer to the challenge was wrong.",
  invalid_challenge: "The challenge was unknown, answered, expired or given to another browser.",
  mfa_setup_required: "The session has no second factor, which this app requires.",
  email_login_disabled: "AUTH_EMAIL_LOGIN_ENABLED is false: nobody signs in by a mail here.",
  factor_exists: "The account has that second factor already.",
  factor_not_found: "The account has no such second factor.",
  last_factor: "The account has no other second factor, and the app requires one.",
  passkey_limit: "The account has as many passkeys as it can.",
  invalid_oauth_state: "The sign-in was unknown, used, expired, begun in another browser or with another provider.",
  oauth_denied: "The provider, or the user there, refused the sign-in.",
  oauth_email_missing: "The provider gave no address that an account could be made with.",
  oauth_exchange_failed: "The provider's answer could not be used.",
  identity_not_found: "There is no such linked identity.",
  identity_link_required: "An account with that address exists: its owner has to sign in and link the provider.",
  identity_already_linked: "That identity belongs to another account.",
  own_account: "A member of staff may not disable, demote or delete their own account.",
  last_admin: "A service may not disable or delete the last active admin.",
  last_auth_method: "It was the last way to sign in to the account.",
  provider_insecure_url: "The provider's address is not https.",
  provider_unreachable: "The provider could not be reached.",
  provider_timeout: "The provider took too long.",
  provider_redirected: "The provider answered with a redirect, which is not followed.",
  provider_response_too_large: "The provider's answer was too large.",
  provider_status: "The provider answered with an error status.",
  provider_response_invalid: "The provider's answer was not what it should be.",
  metadata_invalid: "The provider's discovery document was not what it should be.",
  metadata_issuer: "The provider's discovery document names another issuer than the one that is configured.",
  metadata_endpoint: "The provider's discovery document names an address that is not https, or is a private one.",
  metadata_unsupported: "The provider takes no client secret, or signs in a way that is not allowed.",
  code_rejected: "The provider did not accept the code: it was used, expired or made for another client.",
  access_token_missing: "The provider sent no access token.",
  id_token_missing: "The provider sent no ID token.",
  id_token_invalid: "The ID token was not one.",
  id_token_signature: "The ID token's signature did not fit the provider's keys.",
  id_token_issuer: "The ID token was issued by somebody else.",
  id_token_audience: "The ID token was made for another client.",
  id_token_expired: "The ID token had expired, or is not valid yet: compare the clocks.",
  id_token_nonce: "The ID token did not belong to this sign-in.",
  id_token_tenant: "The ID token came from a tenant that is not allowed.",
  keys_invalid: "The provider's keys could not be used.",
  userinfo_subject: "The provider told about another user than its ID token.",
  subject_missing: "The provider did not say who the user is.",
  job_retried: "This attempt failed; another follows.",
  job_archived: "The last attempt failed: the job is kept as a dead letter.",
  job_failed: "The job failed, and is not tried again.",
  job_dropped: "The job was handed back or taken over: it is run again elsewhere.",
  schedule_failed: "The run failed: the log line below says why.",
  command_failed: "The command failed: the error below says why.",
  not_ready: "A dependency did not answer, the migrations are pending, or the process was stopping.",
};

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const sentences: ReadonlyMap<string, string> = new Map([
  ...Object.entries(programReasons).map(([reason, text]) => [reason, asSentence(text)] as const),
  ...Object.entries(words),
]);

/** Returns a reason in plain words; undefined for a reason of another release. */
export const inWords = (reason: string): string | undefined => sentences.get(reason);

/** All reasons that an inspect can give. */
export const reasons: readonly string[] = [...sentences.keys()];
