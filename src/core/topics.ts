import { Type, type Static, type TSchema } from "@sinclair/typebox";

const id = Type.String({ maxLength: 64 });
/** The id of a program may be the address of a document about it. */
const clientId = Type.String({ maxLength: 512 });
const name = Type.String({ maxLength: 64 });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const account = { user_id: id };
const ofSession = { user_id: id, session_id: id };
/** `session_id` is null where the event is about all of the user's sessions. */
const ofSessions = { user_id: id, session_id: nullable(id) };
/**
 * `user_id` is null where no account has the login that was typed. The login itself is left out: people type passwords into the wrong
 * field. A `count` above 1 stands for several similar attempts.
 */
const ofAttempts = { user_id: nullable(id), count: Type.Integer({ minimum: 1 }) };
/** The invited person has no account, and so no id, until the invitation is accepted. */
const invitation = { invitation_id: id, organization_id: Type.Optional(id) };
const ofRole = { user_id: id, role: name };
/** `factor` is `totp` or `passkey`. */
const ofFactor = { user_id: id, factor: name };
const ofToken = { user_id: id, personal_token_id: id };
const organization = { organization_id: id };
const ofDomain = { ...organization, domain_id: id, domain: Type.String({ maxLength: 253 }) };
/** `roles` are all that the member has then. */
const ofMember = { ...organization, ...account, roles: Type.Array(name) };
const ofIdentity = { user_id: id, identity_id: id, provider: name };

/**
 * Every topic and the shape of its payload. Subscribers build on both: no topic is renamed, and no field is removed. A payload holds ids,
 * never a secret or an email address.
 */
export const topics = {
  "auth.registered": Type.Object(ofSessions),
  "auth.logged-in": Type.Object(ofSession),
  "auth.login-failed": Type.Object({ ...ofAttempts, reason: name }),
  "auth.locked": Type.Object(ofAttempts),
  "auth.logins-blocked": Type.Object(ofAttempts),
  "auth.logged-out": Type.Object(ofSessions),
  "auth.session-revoked": Type.Object(ofSessions),
  "auth.refresh-reused": Type.Object(ofSession),
  "auth.password-changed": Type.Object(account),
  "auth.password-reset": Type.Object(account),
  "auth.email-verified": Type.Object(account),
  "auth.email-changed": Type.Object(account),
  "auth.username-changed": Type.Object(account),
  "auth.user-updated": Type.Object({ ...account, changed: Type.Array(name) }),
  "auth.take-back-ended": Type.Object(account),
  "auth.password-reset-sent": Type.Object(account),
  "auth.user-disabled": Type.Object(account),
  "auth.user-enabled": Type.Object(account),
  "auth.user-unlocked": Type.Object(account),
  "auth.user-deleted": Type.Object(account),
  "auth.identity-linked": Type.Object(ofIdentity),
  "auth.identity-unlinked": Type.Object(ofIdentity),
  "auth.factor-added": Type.Object(ofFactor),
  "auth.factor-removed": Type.Object(ofFactor),
  "auth.factors-reset": Type.Object(account),
  "auth.recovery-codes-made": Type.Object(account),
  "auth.recovery-code-used": Type.Object(account),
  "auth.impersonation-begun": Type.Object({ ...ofSession, impersonator_id: id }),
  "auth.terms-accepted": Type.Object({ ...account, version: name }),
  "auth.personal-token-created": Type.Object(ofToken),
  "auth.personal-token-revoked": Type.Object(ofToken),
  "auth.client-authorized": Type.Object({ ...ofSession, client_id: clientId }),
  "auth.client-withdrawn": Type.Object({ ...account, client_id: clientId }),
  "auth.role-added": Type.Object(ofRole),
  "auth.role-removed": Type.Object(ofRole),
  "auth.user-invited": Type.Object(invitation),
  "auth.invitation-withdrawn": Type.Object(invitation),
  "auth.invitation-accepted": Type.Object({ ...invitation, ...account }),
  "organization.created": Type.Object(organization),
  "organization.updated": Type.Object({ ...organization, changed: Type.Array(name) }),
  "organization.deleted": Type.Object(organization),
  "organization.member-added": Type.Object(ofMember),
  "organization.member-removed": Type.Object({ ...organization, ...account }),
  "organization.roles-changed": Type.Object(ofMember),
  "organization.domain-added": Type.Object(ofDomain),
  "organization.domain-verified": Type.Object(ofDomain),
  "organization.domain-lost": Type.Object(ofDomain),
  "organization.domain-changed": Type.Object(ofDomain),
  "organization.domain-removed": Type.Object(ofDomain),
  "organization.provider-set": Type.Object({ ...organization, enforced: Type.Boolean() }),
  "organization.provider-removed": Type.Object(organization),
  "organization.members-signed-out": Type.Object(organization),
  "maintenance.enabled": Type.Object({ app: name }),
  "maintenance.disabled": Type.Object({ app: name }),
} as const satisfies Readonly<Record<string, TSchema>>;

export type Topic = keyof typeof topics;
export type PayloadOf<T extends Topic> = Readonly<Static<(typeof topics)[T]>>;

/** A topic with a payload that fits it. */
export type TopicPayload = { readonly [T in Topic]: { readonly topic: T; readonly payload: PayloadOf<T> } }[Topic];

/** An event as subscribers get it. `id` is the id of the audit row written with it; `at` is RFC 3339 in UTC. */
export type DomainEvent = TopicPayload & { readonly id: string; readonly at: string };
export type EventOf<T extends Topic> = Extract<DomainEvent, { readonly topic: T }>;

export const isTopic = (text: string): text is Topic => Object.hasOwn(topics, text);
