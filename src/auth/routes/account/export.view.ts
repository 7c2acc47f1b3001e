import { t } from "elysia";
import { timestamp } from "../../../core/clock.ts";
import { nullable, Timestamp } from "../../../http/index.ts";
import type { AccountExport } from "../../flow/account/export.service.ts";
import { mailStates } from "../../mail/fates.ts";
import { readStored } from "../../metadata/merge.patch.ts";
import { holderOf } from "../../session/session.columns.ts";
import { metadataNames } from "../../metadata/metadata.ts";
import { readRoles } from "../../user/roles.ts";
import { ClientName, holder } from "../session/session.schemas.ts";
import { presentToken } from "./token.routes.ts";
import { ExportedUserSchema, presentExportedUser } from "../user.view.ts";

export const Exported = t.Object({
  ok: t.Literal(true),
  exported_at: Timestamp,
  user: ExportedUserSchema,
  sessions: t.Array(
    t.Object({
      id: t.String(),
      app: t.String(),
      user_agent: t.String(),
      ip_address: t.String(),
      remembered: t.Boolean(),
      came_by: nullable(t.String({ description: "What its user was let in by" })),
      factor: nullable(t.String({ description: "The second factor that it was proven by" })),
      created_at: Timestamp,
      proved_at: Timestamp,
      last_seen_at: Timestamp,
      expires_at: Timestamp,
      revoked_at: nullable(Timestamp),
      revoked_reason: nullable(t.String()),
      client: holder,
      delegation: nullable(t.Record(t.String(), t.Unknown(), { description: "What the program was granted" })),
    }),
  ),
  consents: t.Array(
    t.Object({ client: ClientName, scope: t.String(), resources: t.Array(t.String()), granted_at: Timestamp }),
    { description: "What the person has let programs of others have, and which resource servers these may call" },
  ),
  identities: t.Array(
    t.Object({
      provider: t.String(),
      issuer: t.String(),
      subject: t.String(),
      email: nullable(t.String()),
      username: nullable(t.String()),
      linked_at: Timestamp,
      last_login_at: nullable(Timestamp),
    }),
  ),
  factors: t.Array(
    t.Object({
      method: t.String(),
      name: nullable(t.String()),
      added_at: Timestamp,
      last_used_at: nullable(Timestamp),
    }),
  ),
  recovery_codes_left: t.Number(),
  personal_tokens: t.Array(
    t.Object({
      id: t.String(),
      name: t.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      last_used_at: nullable(Timestamp),
      revoked_at: nullable(Timestamp),
    }),
  ),
  mailed_links: t.Array(
    t.Object({
      purpose: t.String(),
      email: t.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      redeemed_at: nullable(Timestamp),
      voided_at: nullable(Timestamp),
    }),
  ),
  invitations: t.Array(
    t.Object({
      email: t.String(),
      roles: t.Array(t.String()),
      display_name: nullable(t.String()),
      locale: nullable(t.String()),
      created_at: Timestamp,
      invited_at: Timestamp,
      expires_at: Timestamp,
      withdrawn_at: nullable(Timestamp),
      accepted_at: nullable(Timestamp),
    }),
  ),
  mails: t.Array(
    t.Object({
      kind: t.String(),
      app: t.String(),
      state: t.UnionEnum(mailStates),
      reason: nullable(t.String({ description: "Why it was withheld" })),
      answer: nullable(t.String({ description: "What the mail relay said last" })),
      attempts: t.Number(),
      count: t.Number(),
      requested_at: Timestamp,
      changed_at: Timestamp,
    }),
    { description: "What became of the mails to the account in the last 30 days, newest first" },
  ),
  jobs: t.Array(t.Object({ name: t.String(), state: t.String(), attempts: t.Number(), created_at: Timestamp }), {
    description: "Mails that wait to be sent, or could not be",
  }),
  events: t.Array(
    t.Object({
      id: t.String(),
      at: Timestamp,
      app: t.String(),
      action: t.String(),
      outcome: t.String(),
      reason: nullable(t.String()),
      actor: t.String(),
      session_id: nullable(t.String()),
      ip_address: nullable(t.String()),
      user_agent: nullable(t.String()),
      count: t.Number(),
      ends_at: nullable(Timestamp),
    }),
    { description: "What the audit log has of the account, newest first, 2,000 at most" },
  ),
  next: nullable(t.String({ description: "`events_before` of the request for older events" })),
});

/** Events show addresses only of these actors, who came by HTTP to this account, and not of people who operate the service. */
/** Names of what a service has changed, without the metadata that the person is not to know of. */
const shownReason = (action: string, reason: string | null): string | null =>
  action !== "auth.user-updated" || reason === null
    ? reason
    : reason
        .split(" ")
        .filter((name) => name !== metadataNames.private)
        .join(" ") || null;

const shownActors = ["user", "anonymous"];

const presentSession = (session: AccountExport["sessions"][number]) => ({
  id: session.id,
  app: session.app,
  user_agent: session.userAgent,
  ip_address: session.ipAddress,
  remembered: session.remembered === 1,
  came_by: session.cameBy,
  factor: session.factor,
  created_at: timestamp(session.createdAt),
  proved_at: timestamp(session.provedAt),
  last_seen_at: timestamp(session.lastSeenAt),
  expires_at: timestamp(session.expiresAt),
  revoked_at: timestamp(session.revokedAt),
  revoked_reason: session.revokedReason,
  client: holderOf(session),
  delegation: session.delegation === null ? null : readStored(session.delegation),
});

const presentIdentity = (identity: AccountExport["identities"][number]) => ({
  provider: identity.provider,
  issuer: identity.issuer,
  subject: identity.subject,
  email: identity.email,
  username: identity.username,
  linked_at: timestamp(identity.linkedAt),
  last_login_at: timestamp(identity.lastLoginAt),
});

const presentFactor = ({ method, name, addedAt, lastUsedAt }: AccountExport["factors"][number]) => ({
  method,
  name,
  added_at: timestamp(addedAt),
  last_used_at: timestamp(lastUsedAt),
});

const presentInvitation = (invitation: AccountExport["invitations"][number]) => ({
  email: invitation.email,
  roles: readRoles(invitation.roles),
  display_name: invitation.displayName,
  locale: invitation.locale,
  created_at: timestamp(invitation.createdAt),
  invited_at: timestamp(invitation.invitedAt),
  expires_at: timestamp(invitation.expiresAt),
  withdrawn_at: timestamp(invitation.withdrawnAt),
  accepted_at: timestamp(invitation.acceptedAt),
});

export const presentExport = ({
  user,
  metadata,
  sessions,
  identities,
  grants,
  invitations,
  mails,
  ...rest
}: AccountExport) => ({
  user: presentExportedUser(user, metadata),
  factors: rest.factors.map(presentFactor),
  recovery_codes_left: rest.recoveryCodesLeft,
  personal_tokens: rest.personalTokens.map((token) => ({
    ...presentToken(token),
    revoked_at: timestamp(token.revokedAt),
  })),
  sessions: sessions.map(presentSession),
  consents: rest.consents.map(({ grantedAt, ...consent }) => ({ ...consent, granted_at: timestamp(grantedAt) })),
  identities: identities.map(presentIdentity),
  mailed_links: grants.map((grant) => ({
    purpose: grant.purpose,
    email: grant.email ?? grant.emailKey,
    created_at: timestamp(grant.createdAt),
    expires_at: timestamp(grant.expiresAt),
    redeemed_at: timestamp(grant.redeemedAt),
    voided_at: timestamp(grant.voidedAt),
  })),
  invitations: invitations.map(presentInvitation),
  mails: mails.map(({ id: _id, requestedAt, at, ...mail }) => ({
    ...mail,
    requested_at: timestamp(requestedAt),
    changed_at: timestamp(at),
  })),
  jobs: rest.jobs.map(({ name, state, attempts, createdAt }) => ({
    name,
    state,
    attempts,
    created_at: timestamp(createdAt),
  })),
  events: rest.events.map(
    ({ id, at, app, action, outcome, reason, actor, sessionId, address, userAgent, count, endsAt }) => ({
      id,
      at: timestamp(at),
      app,
      action,
      outcome,
      reason: shownReason(action, reason),
      actor,
      session_id: sessionId,
      ip_address: shownActors.includes(actor) ? address : null,
      user_agent: shownActors.includes(actor) ? userAgent : null,
      count,
      ends_at: timestamp(endsAt),
    }),
  ),
  next: rest.next ?? null,
});
