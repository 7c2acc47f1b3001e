import type { AuditAction } from "../../core/audit.ts";

const actions: Readonly<Partial<Record<AuditAction, string>>> = {
  "auth.registered": "Account made",
  "auth.logged-in": "Signed in",
  "auth.login-failed": "Sign-in refused",
  "auth.locked": "Locked",
  "auth.attempt-refused": "Password not looked at",
  "auth.request-refused": "Asked too often",
  "auth.logins-blocked": "Held to browsers that it knows",
  "auth.logged-out": "Signed out",
  "auth.session-revoked": "Session ended",
  "auth.refresh-reused": "Session ended, as it may be in two hands",
  "auth.password-changed": "Password changed",
  "auth.password-reset-sent": "Reset link asked for by staff",
  "auth.user-imported": "Account imported",
  "auth.users-exported": "Accounts exported",
  "auth.user-invited": "Invited",
  "auth.invitation-withdrawn": "Invitation withdrawn",
  "auth.invitation-accepted": "Invitation accepted",
  "auth.user-disabled": "Account disabled",
  "auth.user-enabled": "Account enabled",
  "auth.user-unlocked": "Account unlocked",
  "auth.password-reset": "Password set by a mailed link",
  "auth.email-verified": "Address proven",
  "auth.email-changed": "Address changed",
  "auth.email-change-requested": "New address asked for",
  "auth.user-deleted": "Account deleted",
  "auth.identity-linked": "Provider linked",
  "auth.identity-unlinked": "Provider unlinked",
  "auth.role-added": "Role given",
  "auth.role-removed": "Role taken",
  "auth.registration-refused": "Registration refused",
  "auth.mail-withheld": "Mail not sent",
  "auth.address-rejected": "Address disowned by the owner of its mailbox",
  "maintenance.enabled": "Maintenance switched on",
  "maintenance.disabled": "Maintenance switched off",
  "service.created": "Service made",
  "service.revoked": "Service revoked",
  "service.used": "Service used",
  "service.refused": "Service refused",
};

const reasons: Readonly<Record<string, string>> = {
  wrong_password: "wrong password",
  wrong_current_password: "the password, asked for again, was wrong",
  unknown_login: "no account has that login",
  inactive: "the account is disabled",
  no_password: "the account has no password",
  logins_blocked: "the right password, from a browser that the account does not know",
  email_not_verified: "the address is not proven",
  changed_meanwhile: "the password was changed at that moment",
  email_taken: "the address has an account",
  identity_link_required: "somebody from a provider had this address, and has to sign in and link the provider",
  all_sessions: "all of them",
  address_not_proven: "the address had not been proven",
  too_many_sessions: "it made room for a newer one",
  undone: "taken back",
  vouched_for: "on the word of whoever did it",
  account_locked: "the account is locked",
  rate_limited: "too many attempts from that address",
  address_limited: "too many wrong passwords from that address",
  cap_reached: "too many mails in an hour",
};

const isAction = (action: string): action is AuditAction => Object.hasOwn(actions, action);

/** What a row of the audit log says happened. A row of another release keeps its own words. */
export const actionInWords = (action: string): string => (isAction(action) ? actions[action] : undefined) ?? action;

/** Why it happened or was refused. A name, such as that of a role, stays as it is. */
export const reasonInWords = (reason: string): string =>
  Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason;
