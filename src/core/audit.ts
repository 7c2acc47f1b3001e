import { timestamp, type Millis } from "./clock.ts";
import { newId } from "./ids.ts";
import type { StaffRole } from "./people/staff.ts";
import { topics, type DomainEvent, type Topic, type TopicPayload } from "./topics.ts";

/**
 * Actions that are written to the audit log and never published: a subscriber must not take a refused registration for a registration, or a
 * pending change for one that was made.
 */
const ofAccounts = [
  "auth.mail-withheld",
  "auth.verification-sent",
  "auth.user-exported",
  "auth.address-rejected",
  "auth.email-change-requested",
  "auth.user-imported",
  "auth.factor-refused",
  "auth.factor-renamed",
  "auth.impersonation-ended",
] as const;
/** Refusals of people who may have no account yet. */
const ofStrangers = ["auth.registration-refused", "auth.token-refused"] as const;
/** Requests refused before anything was looked at, because there were too many. The row holds their count. */
const ofLimits = ["auth.attempt-refused", "auth.request-refused"] as const;
/** Actions about backends and other programs, which belong to no account. */
const ofServices = [
  "service.created",
  "service.revoked",
  "service.used",
  "service.refused",
  "client.created",
  "client.updated",
  "client.secret-changed",
  "client.revoked",
] as const;
/** Actions about programs that may be known or not, and about people who may have an account or not. */
const ofPrograms = ["client.refused"] as const;
/** Actions about all accounts, or all organizations, at once. */
const ofEverybody = ["auth.users-exported", "organization.exported"] as const;
/** Actions of people who look after an installation, outside its accounts. */
const ofOperation = [
  "queue.retried",
  "schedule.requested",
  "schedule.withdrawn",
  "audit.exported",
  "backup.drilled",
  "webhook.resent",
] as const;
/** What somebody of the staff tried and their roles did not let them do. */
const ofStaff = ["staff.refused"] as const;
const auditOnly = [
  ...ofStaff,
  ...ofAccounts,
  ...ofStrangers,
  ...ofLimits,
  ...ofServices,
  ...ofPrograms,
  ...ofEverybody,
  ...ofOperation,
] as const;

export type AuditAction = Topic | (typeof auditOnly)[number];
export const auditActions: readonly string[] = [...Object.keys(topics), ...auditOnly];

/** Returns the name of the program that a row is about beside its person; undefined where it is about none. */
export const programOf = ({ action, service }: { readonly action: string; readonly service?: string | null }) =>
  action.startsWith("auth.client-") || action === "client.refused" ? (service ?? undefined) : undefined;

export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/**
 * The actor: the account's own user, or by its id another one, such as the owner of an organization, somebody who proved nothing, a member of staff signed in to the admin app and the role by which they act, a backend by its name, an
 * operator at the command line, or this program.
 */
export type By =
  | { readonly actor: "anonymous"; readonly origin: Origin | undefined }
  | { readonly actor: "user"; readonly userId?: string; readonly origin: Origin | undefined }
  | { readonly actor: "staff"; readonly userId: string; readonly role: StaffRole; readonly origin: Origin }
  | { readonly actor: "service"; readonly service: string; readonly origin: Origin }
  /** `name` is the login of the person at the command line, where only the caller of a running app knows it. */
  | { readonly actor: "operator"; readonly name?: string | undefined }
  | { readonly actor: "system" };

/** An operator who runs a command on the host. */
export const byOperator: By = { actor: "operator" };

export interface Circumstances {
  readonly by: By;
  /** Absent means success. */
  readonly outcome?: "failure";
  /** One word of a closed set: why the action was refused, how it was done, or which role it concerned. */
  readonly reason?: string;
  /** The name of the program that the action concerns, where the payload names none. */
  readonly program?: string | undefined;
  /** The session of the actor, where the payload names none. */
  readonly sessionId?: string | undefined;
  /** When the event happened. Default: when the row is made. */
  readonly at?: Millis;
  /** When the effect, such as a lock, ends by itself. */
  readonly endsAt?: Millis | undefined;
}

/** `user_id` is null where no account is known. */
interface LimitPayload {
  readonly user_id: string | null;
  readonly count: number;
}
type With<Topics extends readonly string[], Payload> = {
  [T in Topics[number]]: { readonly topic: T; readonly payload: Readonly<Payload> };
}[Topics[number]];
type AuditOnlyPayload =
  | With<typeof ofAccounts, { user_id: string }>
  | With<typeof ofStrangers, { user_id: string | null }>
  | With<typeof ofLimits, LimitPayload>
  /** `user_id` is the account that it would have been done to. The reason is the act: see people/staff.ts. */
  | With<typeof ofStaff, LimitPayload>
  /** `service` is the backend's name; null where the presented secret belonged to none. */
  | With<typeof ofServices, { service: string | null; count: number }>
  | With<typeof ofPrograms, { user_id: string | null; service: string | null; count: number }>
  | With<typeof ofEverybody, { count: number }>
  /** The row's reason holds the subject: the name of a job or schedule, or the search of the log. */
  | With<typeof ofOperation, { count: number }>;

/** An attempt or a request that a limit or a lock refused. */
export type LimitedOccurrence = Circumstances & {
  readonly topic: (typeof ofLimits)[number];
  readonly payload: LimitPayload;
};

/** A security event. Each becomes a row of the audit log and, unless its topic is for that log alone, a published event. */
export type Occurrence = Circumstances & (TopicPayload | AuditOnlyPayload);

/** One row of the audit log. It holds no secret, and no text that was typed as a login. */
export interface AuditEntry {
  /** The id of the row, and of the published event. */
  readonly id: string;
  readonly at: Millis;
  readonly action: AuditAction;
  readonly outcome: "success" | "failure";
  readonly reason: string | null;
  readonly actor: By["actor"];
  readonly actorUserId: string | null;
  /** The login on the host of the operator who did it. */
  readonly operator: string | null;
  /** The account that the action was done to. */
  readonly subjectUserId: string | null;
  /** The name of the backend or program that did the action or that it concerns. */
  readonly service: string | null;
  /** The invitation that the action concerns. */
  readonly invitationId: string | null;
  /** The organization that the action concerns. */
  readonly organizationId: string | null;
  readonly sessionId: string | null;
  readonly origin: Origin | undefined;
  /** How many similar events the row stands for. */
  readonly count: number;
  /** When the effect, such as a lock, ends by itself. */
  readonly endsAt: Millis | null;
}

/** Returns what of a payload says more than its ids: the reason, role or factor, or the names of the fields that were changed. */
function reasonIn(payload: Occurrence["payload"]): string | null {
  if ("reason" in payload) return payload.reason;
  if ("changed" in payload) return payload.changed.join(" ");
  if ("roles" in payload) return payload.roles.join(" ");
  if ("role" in payload) return payload.role;
  if ("domain" in payload) return payload.domain;
  return "factor" in payload ? payload.factor : null;
}

export function auditEntry(
  { topic, payload, by, outcome, reason, program, sessionId, at, endsAt }: Occurrence,
  now: Millis,
): AuditEntry {
  const subject = "user_id" in payload ? payload.user_id : null;
  return {
    id: newId(),
    at: at ?? now,
    action: topic,
    outcome: outcome ?? "success",
    reason: reason ?? reasonIn(payload),
    actor: by.actor,
    actorUserId: by.actor === "staff" ? by.userId : by.actor === "user" ? (by.userId ?? subject) : null,
    operator: by.actor === "operator" ? (by.name ?? null) : null,
    subjectUserId: subject,
    service: "service" in payload ? payload.service : "service" in by ? by.service : (program ?? null),
    invitationId: "invitation_id" in payload ? payload.invitation_id : null,
    organizationId: ("organization_id" in payload ? payload.organization_id : null) ?? null,
    sessionId: sessionId ?? ("session_id" in payload ? payload.session_id : null),
    origin: "origin" in by ? by.origin : undefined,
    count: "count" in payload ? payload.count : 1,
    endsAt: endsAt ?? null,
  };
}

const isAuditOnly = (what: TopicPayload | AuditOnlyPayload): what is AuditOnlyPayload =>
  auditOnly.some((action) => action === what.topic);

/** Returns the event to publish for a row; undefined for a topic of the audit log alone. */
export function eventOf(
  {
    by: _by,
    outcome: _outcome,
    reason: _reason,
    program: _program,
    sessionId: _sessionId,
    at: _at,
    endsAt: _endsAt,
    ...what
  }: Occurrence,
  entry: AuditEntry,
): DomainEvent | undefined {
  return isAuditOnly(what) ? undefined : { ...what, id: entry.id, at: timestamp(entry.at) };
}
