import { timestamp } from "../../../core/clock.ts";
import type { AccountExport } from "../../flow/account/export.service.ts";
import { readStored } from "../../metadata/merge.patch.ts";
import { holderOf, impersonatorOf } from "../../session/session.columns.ts";
import { metadataNames } from "../../metadata/metadata.ts";
import { readRoles } from "../../user/roles.ts";
import { presentToken } from "./token.routes.ts";
import { presentExportedUser } from "../user.view.ts";

/** Names of what a service has changed, without the metadata that the person is not to know of. */
const shownReason = (action: string, reason: string | null): string | null =>
  action !== "auth.user-updated" || reason === null
    ? reason
    : reason
        .split(" ")
        .filter((name) => name !== metadataNames.private)
        .join(" ") || null;

/**
 * Whether an event shows the client that it came from: where its person or somebody unknown came by HTTP to this account, and not where
 * another person did it, such as the owner of an organization, or somebody who operates the service.
 */
const showsClient = ({ actor, actorUserId }: AccountExport["events"][number], userId: string): boolean =>
  actor === "anonymous" || (actor === "user" && (actorUserId === null || actorUserId === userId));

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
  impersonator: impersonatorOf(session),
  delegation: session.delegation === null ? null : readStored(session.delegation),
  organization_id: session.organizationId,
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
  organization_id: invitation.organizationId,
  organization_roles: readRoles(invitation.organizationRoles ?? ""),
  created_at: timestamp(invitation.createdAt),
  invited_at: timestamp(invitation.invitedAt),
  expires_at: timestamp(invitation.expiresAt),
  withdrawn_at: timestamp(invitation.withdrawnAt),
  accepted_at: timestamp(invitation.acceptedAt),
});

export const presentEvent = (event: AccountExport["events"][number], userId: string) => ({
  id: event.id,
  at: timestamp(event.at),
  app: event.app,
  action: event.action,
  outcome: event.outcome,
  reason: shownReason(event.action, event.reason),
  actor: event.actor,
  organization_id: event.organizationId,
  session_id: event.sessionId,
  ip_address: showsClient(event, userId) ? event.address : null,
  user_agent: showsClient(event, userId) ? event.userAgent : null,
  count: event.count,
  ends_at: timestamp(event.endsAt),
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
  organizations: rest.organizations.map(({ joinedAt, roles, ...organization }) => ({
    ...organization,
    roles: [...roles],
    joined_at: timestamp(joinedAt),
  })),
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
  events: rest.events.map((event) => presentEvent(event, user.id)),
  next: rest.next ?? null,
});
