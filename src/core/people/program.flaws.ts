import type { SessionFlaw } from "../flaws.ts";

/** The error codes of RFC 6749, 6750, 7009, 7591, 8628, 8707, 9126 and 9449 and of OpenID Connect Core §3.1.2.6, in the words of an operator. */
const codes = {
  invalid_request: "the request was not as the standard has it",
  invalid_client: "the program did not prove which one it is",
  invalid_grant: "what it showed for a token was not good",
  unauthorized_client: "the program may not do this",
  unsupported_grant_type: "it asked for tokens in a way that is not known here",
  unsupported_response_type: "it asked for an answer other than a code",
  invalid_scope: "it asked for a scope that it may not have",
  invalid_target: "it asked for a token for somebody whom it may not call",
  invalid_token: "the access token was missing, changed or over",
  insufficient_scope: "the access token lacks the scope",
  access_denied: "the person did not let it in",
  server_error: "something failed here",
  temporarily_unavailable: "there was too much to do",
  login_required: "nobody was signed in, and it wanted no page to be shown",
  interaction_required: "the person had something to do first, and it wanted no page to be shown",
  consent_required: "the person had not let it in yet, and it wanted no page to be shown",
  unmet_authentication_requirements: "it asked for a stronger proof than the account can give",
  request_not_supported: "it sent a signed request, which is not taken here",
  request_uri_not_supported: "it wanted its request to be fetched, which is not done here",
  registration_not_supported: "it wanted to register within a request",
  invalid_request_uri: "the request that it had sent ahead was used, or had expired",
  invalid_dpop_proof: "it did not prove that it holds its key",
  authorization_pending: "the person has not answered the device yet",
  slow_down: "the device asks too often",
  expired_token: "the code of the device had expired",
  invalid_redirect_uri: "it wanted to register an address that people may not be led to",
  invalid_client_metadata: "what it wanted to register was not sound",
} as const;
export type OAuthCode = keyof typeof codes;

const flaws = {
  unknown_client: "no program with that id is known here",
  unknown_redirect_uri: "the address to lead people back to is not registered",
  not_a_sign_in: "the program has no people that it signs in",
  request_over: "the request had been used, or had expired",
  role_missing: "the person lacks the role that the program asks for",
  consent_denied: "the person said no",
  unknown_code: "the code was not one that this service issued, or it has been cleaned up since",
  code_expired: "the code had expired",
  code_reused: "the code had been used before: two have it",
  other_client: "it belongs to another program",
  other_redirect_uri: "the code was made for another address",
  other_key: "it is bound to another key",
  pkce_downgrade: "the challenge was taken out of the request on its way",
  pkce_missing: "the verifier was missing",
  pkce_mismatch: "the verifier did not fit the challenge",
  session_ended: "the session had ended",
  unknown_user_code: "no device waits with the code that was typed",
  no_credentials: "it did not say which program it is",
  wrong_secret: "its secret was wrong",
  other_method: "it proved which one it is in another way than was registered for it",
  malformed_header: "its Authorization header was not as the standard has it",
  malformed_assertion: "what it had signed was no signed statement",
  assertion_expired: "what it had signed had expired: compare the clocks",
  assertion_claims: "what it had signed lacked something, or spoke of another program",
  assertion_signature: "what it had signed did not fit its keys",
  assertion_audience: "what it had signed was meant for somebody else",
  assertion_too_long: "what it had signed is good for too long",
  assertion_reused: "what it had signed had been used before",
  keys_unreadable: "its keys could not be read",
  proof_malformed: "the proof of its key was not signed as the standard has it",
  proof_of_other_request: "the proof of its key was for another request",
  proof_expired: "the proof of its key was too old, or from the future: compare the clocks",
  proof_of_other_token: "the proof of its key was for another token",
  proof_reused: "the proof of its key had been used before",
  wrong_id_token_hint: "the ID token that it sent along was none of this service, or about another program",
} as const;

/** Why a program was refused, where its code does not say it all: for inspects, the log and the audit log. */
export type ProgramFlaw = keyof typeof flaws | SessionFlaw | "rate_limited" | "denied_by_hook";

/** What a program was refused for, as the end of a sentence. */
export const programReasons: Readonly<Record<OAuthCode | keyof typeof flaws, string>> = { ...codes, ...flaws };
