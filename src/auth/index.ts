import type { Module } from "../core/module.ts";
import { createImpersonationAuth } from "./routes/impersonation.auth.ts";
import { createOrganizationAuth } from "./routes/organization.auth.ts";
import { createProviderAuth } from "./routes/provider.auth.ts";
import { createFederatedAuth } from "./routes/federated.auth.ts";
import { createFlows } from "./routes/flows.ts";
import { wireBase, type AuthOptions, type Base } from "./wiring/base.ts";
import { wireExchange, type Exchange } from "./wiring/exchange.ts";
import { wireFactors } from "./wiring/factors.ts";
import { wireMails } from "./wiring/mails.ts";
import { wireOwnAccount, wireOwnData, wireOwnFactors } from "./wiring/own.ts";
import { wirePages } from "./wiring/routes.ts";
import { wirePeople } from "./wiring/people.ts";
import { wirePressure, type PressureParts } from "./wiring/pressure.ts";
import type { PublishedKeys } from "./routes/session/key.routes.ts";
import { wireKeys, wirePersonalTokens, wireRelatedOrigins, wireRoutes, wireVerify } from "./wiring/routes.ts";
import { wireSessions, type Sessions } from "./wiring/sessions.ts";
import { wireWatched } from "./wiring/watched.ts";
import { wireWaysIn, type WaysIn } from "./wiring/ways.in.ts";
import { wireWork } from "./wiring/work.ts";

export { placeOf, type Client } from "./client.ts";
export { bootstrapFaults } from "./flow/registration.service.ts";
export type { InspectedReset } from "./flow/password.service.ts";
export type { SignedIn, SignIn } from "./flow/admission.ts";
export type { MailKind, MailReason } from "./mail/kinds.ts";
export { greetableName } from "./mail/greetable.name.ts";
export type { MailPreviews, ShownMail } from "./mail/previews.ts";
export type { InvitationForm } from "./flow/invitation/invitation.form.ts";
export type { Invitation, Invitations } from "./flow/invitation/invitation.service.ts";
export type { ProviderProof } from "./flow/federation.service.ts";
export type { DelegatedRow } from "./delegation/delegation.columns.ts";
export type { Delegations } from "./delegation/delegations.ts";
export type { OrganizationInvitation } from "./flow/invitation/organization.invitations.ts";
export type { OrganizationAuth } from "./routes/organization.auth.ts";
export type { Browsing, ProviderAuth } from "./routes/provider.auth.ts";
export type { FederatedAuth } from "./routes/federated.auth.ts";
export { cookieWords } from "./routes/session/cookies.ts";
export type { PageAuth, Viewer } from "./routes/page/page.auth.ts";
export type { PageFactors } from "./routes/page/page.factors.ts";
export type { PageSignIn } from "./routes/page/page.sign.in.ts";
export type { PageOwn } from "./routes/page/page.own.ts";
export type { PageWays } from "./routes/page/page.ways.ts";
export type { FactorOverview } from "./flow/factor/factor.service.ts";
export type { StoredFactor } from "./factor/stored.factors.ts";
export { factorBits, type FactorName } from "./factor/method.ts";
export { mergePatchField, patched, readStored, type MergePatch } from "./metadata/merge.patch.ts";
export type { Journal } from "./journal.ts";
export type { Memberships } from "./flow/organization/memberships.ts";
export { domainKey, domainOfKey, domainPattern, emailKey } from "./user/identifiers.ts";
export { newMetadata } from "./metadata/metadata.ts";
export { noMetadata, type Metadata } from "./metadata/metadata.repository.ts";
export { isTagList, type AccountTags } from "./people/account.tag.ts";
export type { AccountPatch, PatchAccount } from "./people/patch.ts";
export { isTermsDue, type TermsDue } from "./routes/flows.ts";
export { documentedSettings, email, locale } from "./routes/account.fields.ts";
export {
  acceptedTerms,
  AccountFields,
  externalId,
  invitationRefusals,
  ProfileFields,
  RegisterFields,
  SignedInUser,
} from "./routes/schemas.ts";
export { ClientName, holder, Impersonator } from "./routes/session/session.schemas.ts";
export { organizationOf, organizationsOf } from "./session/claims/claims.ts";
export type { Impersonations } from "./impersonation/impersonations.ts";
export { impersonationPath, type ImpersonationAuth } from "./routes/impersonation.auth.ts";
export { holderOf, impersonatorOf } from "./session/session.columns.ts";
export {
  JsonObject as JsonSchema,
  openMetadata,
  presentMetadata,
  presentPrivate,
  presentUser,
  privateMetadata,
} from "./routes/user.view.ts";
export { passwordHash, pastTime } from "./transfer/account.record.ts";
export { assuranceOf } from "./session/access.token.ts";
export type { AccountNames, NamedAccount } from "./transfer/named.accounts.ts";
export { recordsOf, type SourceRecord } from "./transfer/records.ts";
export { securitySchemesOf, type Guard } from "./routes/session/guard.ts";
export type { AccountFile } from "./routes/account/export.file.ts";
export type { Accounts } from "./people/accounts.ts";
export type { People, Person, PersonSession } from "./people/people.ts";
export type { PeopleCounts } from "./people/counts.ts";
export type { PeopleQuery } from "./people/list.query.ts";
export type { PeoplePage } from "./people/list.ts";
export type { PersonSummary } from "./people/summary.ts";
export { deviceLabel } from "./device.ts";
export type { PasswordCost } from "./password/password.hash.ts";
export { passwordRules } from "./password/password.policy.ts";
export type { StoredEvent as PersonEvent, StoredIdentity as PersonIdentity } from "./flow/account/export.service.ts";
export type { AccountName } from "./people/people.repository.ts";
export type { SessionRow } from "./session/session.repository.ts";
export { foldedName } from "./user/identifiers.ts";
export { hasStaffRole } from "./user/roles.ts";
export type { UserRow } from "./user/user.repository.ts";

/** Local accounts: the rooms of their wiring in the order in which they need each other, and what other features get of them. */
export async function createAuth(options: AuthOptions) {
  const base = wireBase(options);
  const mails = wireMails({ options, base });
  const pressure = wirePressure({ options, base, mails });
  const factors = wireFactors(options);
  const sessions = await wireSessions({ options, base, mails, factors });
  const waysIn = wireWaysIn({ options, base, mails, pressure, factors, sessions });
  const ownAccount = wireOwnAccount({ options, base, mails, pressure, factors, sessions });
  const ownData = wireOwnData({ options, base, mails, pressure, factors, sessions, ownAccount });
  const ownFactors = wireOwnFactors({ options, base, mails, pressure, factors, sessions });
  const others = wirePeople({ options, base, mails, pressure, factors, sessions, waysIn, ownAccount, ownData });

  const flows = createFlows(options.metrics, options.watch);
  const exchange = wireExchange({ options, pressure, sessions });
  const { guard, clientOf } = exchange;
  const watched = wireWatched({ flows, pressure, sessions, waysIn, ownAccount, ownData, ownFactors });
  const routes = wireRoutes({ options, exchange, watched, sessions });
  const api: Module<typeof routes> = { routes, roomy: ["/api/v1/auth/profile"] };
  return {
    module: wireWork({ options, base, mails, pressure }),
    api,
    /** What proxies and programs ask about the session of a request. */
    verify: { routes: wireVerify({ options, exchange, watched, sessions }) },
    /** The keys of tokens. `more` are those of another feature that signs tokens. */
    keys: (more?: PublishedKeys) => wireKeys(sessions, more),
    relatedOrigins: wireRelatedOrigins(factors),
    tokens: wirePersonalTokens({ options, exchange, watched }),
    guard,
    clientOf,
    introspect: sessions.introspect,
    impersonations: sessions.impersonations,
    journal: base.journal,
    ...others,
    ...forFeatures({ options, base, pressure, sessions, waysIn, others, flows, exchange }),
    ...wirePages({ options, exchange, watched, sessions }),
  };
}

interface FeatureParts {
  readonly options: AuthOptions;
  readonly base: Base;
  readonly pressure: PressureParts;
  readonly sessions: Sessions;
  readonly waysIn: WaysIn;
  readonly others: Pick<ReturnType<typeof wirePeople>, "organizationInvitations">;
  readonly flows: ReturnType<typeof createFlows>;
  readonly exchange: Exchange;
}

/** The parts of accounts and sessions that other features stand on. */
function forFeatures({ options, base, pressure, sessions, waysIn, others, flows, exchange }: FeatureParts) {
  const { guard, clientOf, cookies } = exchange;
  return {
    /** With the plain services: the feature that signs in through providers counts its flows. */
    federation: createFederatedAuth({
      federation: waysIn.federation,
      acceptance: waysIn.acceptance,
      welcomeOf: waysIn.welcomeOf,
      vouchers: base.vouchers,
      guard,
      clientOf,
      journal: base.journal,
      cookies,
      users: base.users,
      sessions: sessions.sessions,
      pressure: pressure.pressure,
      flows,
      clock: options.clock,
    }),
    /** For the feature of organizations. */
    organizations: createOrganizationAuth({
      guard,
      clientOf,
      journal: base.journal,
      users: base.users,
      pressure: pressure.pressure,
      sessions: sessions.sessions,
      invitations: others.organizationInvitations,
      evictions: sessions.evictions,
    }),
    /** For the pages by which staff come to act in somebody's name. */
    impersonation: createImpersonationAuth({
      impersonations: sessions.impersonations,
      sessions: sessions.sessions,
      cookies,
      pressure: pressure.pressure,
      clientOf,
      flows,
      onRefusal: options.watch?.refused,
    }),
    /** For the feature that signs people in for other programs. */
    provider: createProviderAuth({
      delegations: sessions.delegations,
      guard,
      clientOf,
      journal: base.journal,
      cookies,
      sessions: sessions.sessions,
      sessionRows: sessions.sessionRows,
      impersonations: sessions.impersonations,
      accessTokens: sessions.accessTokens,
      pressure: pressure.pressure,
    }),
  };
}
