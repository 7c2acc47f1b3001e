import { auditActions, countInWords, programOf, type AuditAction } from "../core/audit.ts";
import type { FactorFlaw, LoginFlaw } from "../core/flaws.ts";
import { programReasons } from "../core/people/program.flaws.ts";
import { knownProviderNames } from "../core/people/providers.ts";
import { inWords } from "../core/text/in.words.ts";
import type { AuditRow } from "./audit.repository.ts";

/** Words for each action. An action of another release stands for itself. */
const actionWords: Readonly<Record<AuditAction, string>> = {
  "auth.registered": "Registered",
  "auth.logged-in": "Signed in",
  "auth.login-failed": "Sign-in refused",
  "auth.locked": "Account locked",
  "auth.logins-blocked": "Sign-ins from unknown browsers blocked",
  "auth.logged-out": "Signed out",
  "auth.session-revoked": "Session ended",
  "auth.refresh-reused": "A refresh token was used twice, and its session ended",
  "auth.password-changed": "Password changed",
  "auth.password-reset": "Password reset by mail",
  "auth.email-verified": "Address proven",
  "auth.email-changed": "Address changed",
  "auth.username-changed": "User name changed",
  "auth.user-updated": "Account changed",
  "auth.take-back-ended": "Link that takes a second factor back ended",
  "auth.password-reset-sent": "Mail to reset the password sent",
  "auth.user-disabled": "Account disabled",
  "auth.user-enabled": "Account enabled",
  "auth.user-unlocked": "Account unlocked",
  "auth.user-deleted": "Account deleted",
  "auth.user-invited": "Invitation sent",
  "auth.invitation-withdrawn": "Invitation withdrawn",
  "auth.invitation-accepted": "Invitation accepted",
  "auth.user-imported": "Account imported",
  "auth.users-exported": "Accounts exported",
  "auth.user-exported": "Everything that is kept of the account written out",
  "auth.identity-linked": "Provider linked",
  "auth.identity-unlinked": "Provider unlinked",
  "auth.factor-added": "Second factor added",
  "auth.factor-removed": "Second factor removed",
  "auth.factor-renamed": "Passkey renamed",
  "auth.factor-refused": "Second factor refused, and not added",
  "auth.factors-reset": "Second factors reset",
  "auth.recovery-codes-made": "New recovery codes made",
  "auth.recovery-code-used": "Recovery code used",
  "auth.impersonation-begun": "Staff opened a session in the person's name",
  "auth.impersonation-ended": "Session of staff in the person's name ended",
  "auth.terms-accepted": "Terms accepted",
  "auth.personal-token-created": "Personal token made",
  "auth.personal-token-revoked": "Personal token revoked",
  "auth.client-authorized": "Signed in to a program",
  "auth.client-withdrawn": "Access of a program withdrawn",
  "auth.role-added": "Role given",
  "auth.role-removed": "Role taken away",
  "auth.attempt-refused": "Password not looked at",
  "auth.request-refused": "Asked too often",
  "auth.registration-refused": "Registration refused",
  "auth.token-refused": "Token refused",
  "auth.mail-withheld": "Mail held back",
  "auth.verification-sent": "Mail to prove the address sent",
  "auth.address-rejected": "The owner of the mailbox said that it was not them",
  "auth.email-change-requested": "Another address asked for, and not confirmed yet",
  "organization.created": "Organization made",
  "organization.updated": "Organization changed",
  "organization.deleted": "Organization deleted",
  "organization.exported": "Organizations exported",
  "organization.member-added": "Joined an organization",
  "organization.member-removed": "Left an organization, or was removed",
  "organization.roles-changed": "Roles in an organization changed",
  "organization.domain-added": "Domain claimed for an organization",
  "organization.domain-verified": "Domain of an organization proven",
  "organization.domain-lost": "Proof of an organization's domain gone",
  "organization.domain-changed": "Who joins by a domain changed",
  "organization.domain-removed": "Domain of an organization removed",
  "organization.provider-set": "Provider of an organization set",
  "organization.members-signed-out": "Members of an organization signed out",
  "organization.provider-removed": "Provider of an organization removed",
  "client.created": "Program made",
  "client.updated": "Program changed",
  "client.secret-changed": "Secret of a program changed",
  "client.revoked": "Program removed",
  "client.refused": "Program refused",
  "service.created": "Service made",
  "service.revoked": "Service revoked",
  "service.used": "Service used its secret",
  "service.refused": "Service refused",
  "staff.refused": "One of the staff refused",
  "queue.retried": "Failed jobs tried again",
  "schedule.requested": "Schedule to be run at once",
  "schedule.withdrawn": "Schedule no longer to be run at once",
  "audit.exported": "Audit log downloaded",
  "backup.drilled": "Backup restored on trial",
  "webhook.resent": "Message to a webhook sent again",
  "maintenance.enabled": "Maintenance switched on",
  "maintenance.disabled": "Maintenance switched off",
};

/** Words for every flaw of a proof, and for what else an action has as its reason. */
const reasonWords = {
  ...programReasons,
  wrong_password: "the password was wrong",
  wrong_current_password: "the current password, asked for again, was wrong",
  wrong_code: "the code was wrong",
  code_of_other_time: "the code was right for another time, so that the clock of the phone is off",
  code_used: "the code had been used before",
  no_such_factor: "the account does not have that second factor",
  unknown_credential: "the passkey is none of the account's, or nobody's",
  foreign_user_handle: "the passkey was shown in the name of another account",
  malformed_credential: "what came was no answer of a passkey",
  wrong_ceremony: "the passkey answered another question",
  wrong_origin: "the passkey was used on a page of another origin",
  cross_origin: "the passkey was used on a page inside a page of another origin",
  wrong_rp_id: "the passkey was made for another site",
  wrong_signature: "the passkey's signature was wrong",
  counter_fell_back: "the passkey had counted fewer uses than before, as a copy does",
  not_verified: "the passkey had not checked who was using it",
  challenge_unknown: "the challenge was none of this service, browser or account",
  challenge_expired: "the challenge had expired",
  challenge_of_other_browser: "the challenge was given to another browser",
  challenge_used_up: "the challenge had been answered before, or too often",
  challenge_overtaken: "the account was changed after the challenge",
  provider_required: "an organization lets its own provider alone sign the person in",
  unknown_login: "no account has that name or address",
  inactive: "the account is disabled",
  no_password: "the account has no password and signs in through a provider",
  logins_blocked: "the password was right, but it came from a browser that the account does not know",
  no_mailed_code: "no mailed code waits in that browser",
  wrong_mailed_code: "the mailed code was wrong",
  mailed_code_used_up: "the mailed code was tried too often",
  no_mailed_link: "the mailed link was used, expired or void",
  email_not_verified: "the address is not proven",
  changed_meanwhile: "the password was changed at the same moment",
  email_taken: "an account has that address",
  identity_link_required: "an account has the address that the provider gave",
  all_sessions: "everywhere at once",
  address_not_proven: "the address had not been proven when it began",
  too_many_sessions: "it made room for a newer one",
  undone: "the owner of the old address took the change back",
  taken_back: "by the mail that told of the first one",
  vouched_for: "without a mail",
  account_locked: "the account was locked",
  rate_limited: "too many attempts from that address",
  address_limited: "too many wrong passwords from that address",
  register: "to register",
  password_reset: "for a link to reset a password",
  password_reset_confirm: "to set a new password",
  email_verification: "for a mail that proves an address",
  email_verification_confirm: "to prove an address",
  email_change: "for another address",
  invitation: "with an invitation",
  oauth_start: "to sign in with a provider",
  cap_reached: "too many mails in an hour",
  invalid_refresh_token: "the refresh token was not one that this service issued",
  refresh_hash_mismatch: "the refresh token had been swapped out long ago, so that two may have it",
  refresh_hash_mismatch_grace: "the refresh token had been swapped out a moment ago",
  session_not_found: "there is no such session",
  session_revoked: "the session had been ended",
  session_expired: "the session had reached its end",
  session_idle_expired: "the session had not been used for too long",
  user_inactive: "the account is switched off",
  unknown_secret: "its secret is unknown",
  revoked: "it had been revoked",
  missing_scope: "it lacks the scope",
  denied_by_hook: "a hook said no",
  hook_failed: "a hook gave no answer",
  logged_out: "signed out",
  parent_ended: "the session it hung on ended",
  roles_changed: "roles of staff were changed",
  account_disabled: "an account was disabled",
  account_deleted: "an account was deleted",
  time_over: "its time was over",
  renamed: "it has another name now",
  with_hashes: "with the hashes of passwords",
  without_hashes: "without the hashes of passwords",
  all: "of every name",
  totp: "an authenticator app",
  passkey: "a passkey",
  by_password: "by a password",
  by_email: "by a mailed link or code",
  by_passkey: "by a passkey",
  ...Object.fromEntries(Object.entries(knownProviderNames).map(([provider, name]) => [provider, `by ${name}`])),
  organization: "by the provider of an organization",
} satisfies Readonly<Record<LoginFlaw | FactorFlaw, string> & Record<string, string>>;

export const actionInWords = (action: string): string => inWords(actionWords, action);

/** Returns the words of a reason. Names of roles, schedules and the like stand for themselves. */
export const reasonInWords = (reason: string): string => inWords(reasonWords, reason);

type Detailed = Pick<AuditRow, "action" | "reason"> & Partial<Pick<AuditRow, "service">>;

/** Returns which program a row is about, and its reason: "Shop, the person said no"; undefined where a row has neither. */
export function detailsInWords(row: Detailed): string | undefined {
  const { reason } = row;
  const details = [programOf(row), reason === null ? undefined : reasonInWords(reason)];
  const known = details.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

/** Returns what a row says, with its details: "Sign-in refused: the password was wrong". */
export function rowInWords(row: Detailed & Pick<AuditRow, "outcome" | "count">): string {
  const { action, outcome, count } = row;
  const words = actionInWords(action);
  const saysSo = /refused|held back|too often|not looked at|\blocked|blocked|used twice|not them/i.test(words);
  const refused = outcome === "failure" && !saysSo ? ", refused" : "";
  const details = detailsInWords(row);
  const why = details === undefined ? "" : `: ${details}`;
  return `${words}${refused}${why}${countInWords(action, count)}`;
}

/** Every action with its words, sorted by the words. */
export const actionsInWords: readonly { readonly action: string; readonly words: string }[] = auditActions
  .map((action) => ({ action, words: actionInWords(action) }))
  .toSorted((a, b) => (a.words < b.words ? -1 : 1));
