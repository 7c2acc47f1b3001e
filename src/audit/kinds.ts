import { auditActions, type AuditAction } from "../core/audit.ts";

/** What a row of the log is about, by which it may be kept shorter or longer. */
export const auditKinds = ["sign_in", "account", "staff", "system"] as const;
export type AuditKind = (typeof auditKinds)[number];

const ofSignIns: readonly AuditAction[] = [
  "auth.logged-in",
  "auth.login-failed",
  "auth.locked",
  "auth.logins-blocked",
  "auth.logged-out",
  "auth.session-revoked",
  "auth.refresh-reused",
  "auth.recovery-code-used",
  "auth.client-authorized",
  "auth.attempt-refused",
  "auth.request-refused",
  "auth.registration-refused",
  "auth.token-refused",
];
/** The beginnings of actions that concern no account. */
const ofSystem = /^(?:service|client|maintenance|queue|schedule|audit|backup|webhook)\./;

const actionsOf = (kind: Exclude<AuditKind, "staff">): readonly string[] =>
  auditActions.filter((action) => {
    if (ofSignIns.some((each) => each === action)) return kind === "sign_in";
    return ofSystem.test(action) ? kind === "system" : kind === "account";
  });

/** What somebody did to others is of the kind `staff`, whatever it was. */
const byOthers = "actor in ('staff', 'operator')";

/** Returns the condition of a kind, which an index leads to: rows that are kept longer are not looked at each time. */
export const conditionOf = (kind: AuditKind): string =>
  kind === "staff"
    ? byOthers
    : `action in (${actionsOf(kind)
        .map((action) => `'${action}'`)
        .join(", ")}) and not ${byOthers}`;
