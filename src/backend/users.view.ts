import { t } from "elysia";
import {
  holder,
  holderOf,
  Impersonator,
  impersonatorOf,
  openMetadata,
  presentMetadata,
  presentPrivate,
  privateMetadata,
  type Metadata,
  type Person,
  type PersonSummary,
} from "../auth/index.ts";
import { timestamp } from "../core/clock.ts";
import { hindranceInWords, inEnglish } from "../words/standing.ts";
import { nullable, Timestamp } from "../http/index.ts";

/**
 * Formats for readers of the document. Answers are not checked by them, since an account may have an id or address that no new one would
 * get.
 */
const Id = t.String({ documented: { format: "uuid" } });
const Email = t.String({ documented: { format: "idn-email" } });
const Url = t.String({ documented: { format: "uri" } });

const summary = {
  id: Id,
  username: t.String(),
  email: Email,
  email_verified: t.Boolean(),
  display_name: t.String(),
  avatar_url: nullable(Url),
  timezone: nullable(t.String()),
  locale: nullable(t.String()),
  external_id: nullable(t.String({ description: "The id by which your own programs know the account" })),
  terms_version: nullable(t.String({ description: "The terms that the person has accepted last" })),
  terms_accepted_at: nullable(Timestamp),
  active: t.Boolean({ description: "False while the account is disabled" }),
  locked_until: nullable(Timestamp),
  mfa: t.Boolean({ description: "Whether signing in takes a second factor" }),
  roles: t.Array(t.String(), { description: "Names of roles, sorted" }),
  created_at: Timestamp,
  last_login_at: nullable(Timestamp),
  last_seen_at: nullable(Timestamp),
};

const Hindrance = t.Object(
  {
    why: t.String({ description: "For programs: `disabled`, `locked`, `address_not_proven`, …; more may come" }),
    message: t.String({ description: "The same for people, in English" }),
    until: t.Optional(Timestamp),
    failures: t.Optional(t.Number({ description: "Wrong passwords that have led to it" })),
    address: t.Optional(t.String({ description: "The client address that they came from last" })),
    providers: t.Optional(t.Array(t.String(), { description: "By which the person can sign in without a password" })),
  },
  { title: "Hindrance", description: "What keeps a person from signing in now" },
);

const UserSession = t.Object(
  {
    id: t.String(),
    app: t.String(),
    user_agent: t.String(),
    ip_address: t.String(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    remembered: t.Boolean(),
    client: holder,
    impersonator: Impersonator,
  },
  { title: "UserSession" },
);

const UserFactor = t.Object(
  {
    method: t.String({ description: "`totp` or `passkey`; more may come" }),
    name: nullable(t.String({ description: "What its owner calls it" })),
    added_at: Timestamp,
    last_used_at: nullable(Timestamp),
  },
  { title: "UserFactor", description: "A second factor; nothing that it could be copied by" },
);

const UserIdentity = t.Object(
  {
    provider: t.String(),
    email: nullable(t.String()),
    username: nullable(t.String()),
    linked_at: Timestamp,
    last_login_at: nullable(Timestamp),
  },
  { title: "UserIdentity", description: "A provider by which the person can sign in" },
);

const UserOrganization = t.Object(
  {
    id: t.String(),
    slug: t.String(),
    name: t.String(),
    roles: t.Array(t.String({ description: "What the person is in it" })),
  },
  { title: "UserOrganization" },
);

/** What services keep on an account. A service without the scope `users:read` is not shown what is private. */
const kept = {
  ...openMetadata,
  private_metadata: t.Optional(privateMetadata.private_metadata),
};

const UserSummary = t.Object(
  { ...summary, ...kept },
  { title: "UserSummary", description: "An account, as a service sees it in a list" },
);

export const UserPage = t.Object({
  ok: t.Literal(true),
  users: t.Array(UserSummary),
  next: nullable(t.String({ description: "The `cursor` of the next page; null after the last one" })),
});

export const ShownUser = t.Object({
  ok: t.Literal(true),
  user: t.Object(
    {
      ...summary,
      ...kept,
      pending_email: nullable(t.String({ description: "A new address that its mailbox has not confirmed yet" })),
      has_password: t.Boolean(),
      factors: t.Array(UserFactor),
      recovery_codes_left: t.Number(),
      standing: t.Array(Hindrance, {
        description: "Why the person can't sign in now; empty where nothing is in the way",
      }),
      sessions: t.Array(UserSession, { description: "Where the person is signed in" }),
      identities: t.Array(UserIdentity),
      organizations: t.Array(UserOrganization, { description: "The organizations that the person is in" }),
    },
    { title: "UserDetails", description: "An account with what a service may know of it" },
  ),
});

export const CreatedUser = t.Object({ ok: t.Literal(true), user: UserSummary });
export const Changed = t.Object(
  { ok: t.Literal(true), changed: t.Boolean({ description: "False where it was so already" }) },
  { title: "Changed" },
);
export const SessionsEnded = t.Object({ ok: t.Literal(true), sessions_ended: t.Number() });

export const UserId = t.Object({ id: t.String({ documented: { format: "uuid" } }) });

/** Returns what webhooks, hooks and commands show of an account: nothing that is private. */
export const presentSummary = (person: PersonSummary) => ({
  id: person.id,
  username: person.username,
  email: person.email,
  email_verified: person.emailVerified,
  display_name: person.displayName,
  avatar_url: person.avatarUrl,
  timezone: person.timezone,
  locale: person.locale,
  external_id: person.externalId,
  terms_version: person.termsVersion,
  terms_accepted_at: timestamp(person.termsAcceptedAt),
  active: person.active,
  locked_until: timestamp(person.lockedUntil ?? null),
  mfa: person.hasFactor,
  roles: [...person.roles],
  created_at: timestamp(person.createdAt),
  last_login_at: timestamp(person.lastLoginAt),
  last_seen_at: timestamp(person.lastSeenAt),
});

const presentHindrance = (hindrance: Person["standing"][number]): typeof Hindrance.static => ({
  why: hindrance.why,
  message: hindranceInWords(hindrance, inEnglish(timestamp)),
  ...(hindrance.until !== undefined && { until: timestamp(hindrance.until) }),
  ...(hindrance.failures !== undefined && { failures: hindrance.failures }),
  ...(hindrance.address !== undefined && { address: hindrance.address }),
  ...(hindrance.providers !== undefined && { providers: [...hindrance.providers] }),
});

export const presentSession = (session: Person["sessions"][number]): typeof UserSession.static => ({
  id: session.id,
  app: session.app,
  user_agent: session.userAgent,
  ip_address: session.ipAddress,
  created_at: timestamp(session.createdAt),
  last_seen_at: timestamp(session.lastSeenAt),
  expires_at: timestamp(session.expiresAt),
  remembered: session.remembered === 1,
  client: holderOf(session),
  impersonator: impersonatorOf(session),
});

const presentFactor = ({ method, name, addedAt, lastUsedAt }: Person["factors"][number]): typeof UserFactor.static => ({
  method,
  name,
  added_at: timestamp(addedAt),
  last_used_at: timestamp(lastUsedAt),
});

export const presentIdentity = (identity: Person["identities"][number]): typeof UserIdentity.static => ({
  provider: identity.provider,
  email: identity.email,
  username: identity.username,
  linked_at: timestamp(identity.linkedAt),
  last_login_at: timestamp(identity.lastLoginAt),
});

/** Returns an account as lists have it, for a service that may read what is private or may not. */
export const presentKept = (
  person: PersonSummary,
  metadata: Metadata,
  mayReadPrivate: boolean,
): typeof UserSummary.static => ({
  ...presentSummary(person),
  ...presentMetadata(metadata),
  ...(mayReadPrivate && presentPrivate(metadata)),
});

/** Returns everything of an account that is not private. */
export const presentPerson = (person: Person): (typeof ShownUser.static)["user"] => ({
  ...presentSummary(person),
  ...presentMetadata(person.metadata),
  pending_email: person.pendingEmail,
  has_password: person.hasPassword,
  factors: person.factors.map(presentFactor),
  recovery_codes_left: person.recoveryCodesLeft,
  standing: person.standing.map(presentHindrance),
  sessions: person.sessions.filter(({ isLive }) => isLive).map(presentSession),
  identities: person.identities.map(presentIdentity),
  organizations: person.organizations.map(({ id, slug, name, roles }) => ({ id, slug, name, roles: [...roles] })),
});
