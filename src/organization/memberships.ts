import { domainOfKey, type Memberships, type UserRow } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import { createSeal } from "../core/keys/seal.ts";
import type { Database } from "../drivers/database/index.ts";
import { createDomainRepository } from "./domain/domain.repository.ts";
import { createDomainJoining } from "./domain/joining.ts";
import { createMemberRepository } from "./member.repository.ts";
import { createOrganizationRepository } from "./organization.repository.ts";
import { startOf } from "./provider/addresses.ts";
import { createProviderRepository } from "./provider/provider.repository.ts";
import { createSignIn } from "./provider/sign.in.ts";
import { owner, rankOf, readRoles } from "./roles.ts";

interface MembershipOptions {
  readonly config: Pick<Config["organizations"], "maxPerPerson" | "maxMembers"> & { readonly enabled?: boolean };
  /** Without it, no domain and no provider of an organization counts. */
  readonly app?: Pick<Config["app"], "name" | "url">;
  readonly database: Database;
  readonly clock: Clock;
}

/** Seals the secrets by which this service is known to providers of organizations. */
export const sealOf = ({ key, previousKeys }: Pick<Config["app"], "key" | "previousKeys">) =>
  createSeal({ key, previousKeys, purpose: "organization-provider-secrets" });

/** What accounts have to know of organizations. */
export function createMemberships({ config, app, database, clock }: MembershipOptions): Memberships {
  const organizations = createOrganizationRepository(database);
  const members = createMemberRepository(database);
  const domains = createDomainRepository(database);
  const joining = createDomainJoining({ config, domains, organizations, members, clock });
  const plain: Memberships = {
    isLastOwner: organizations.isLastOwner,
    async refusalOf(organizationId, userId) {
      if (userId !== undefined && (await members.find(organizationId, userId)) !== undefined) return "member_exists";
      const organization = await organizations.byId(organizationId);
      const isFull = organization !== undefined && organization.members >= config.maxMembers;
      const isInMost = userId !== undefined && (await members.countOf(userId)) >= config.maxPerPerson;
      return isFull || isInMost ? "limit_reached" : undefined;
    },
    async ofUser(userId) {
      const found = await organizations.memberships(userId);
      return found.map(({ roles, ...membership }) => ({ ...membership, roles: readRoles(roles) }));
    },
    joining({ organizationId, userId, roles }) {
      const rank = rankOf(readRoles(roles));
      return [
        organizations.countMember(organizationId, rank === owner, config.maxMembers),
        members.insert({ organizationId, userId, roles, rank }, config.maxPerPerson, clock.now()),
      ];
    },
  };
  if (config.enabled !== true || app === undefined) return plain;
  const withDomains: Memberships = {
    ...plain,
    async joiningByDomain(person, by) {
      const found = await joining.joinsItself(person);
      return found && joining.joining(found, person.id, by);
    },
  };
  const demands = demandsOf(app.url, database);
  // Providers sign nobody in to the admin app, which has rules of its own.
  return app.name === "admin" ? { ...withDomains, demandOf: demands.demandOf } : { ...withDomains, ...demands };
}

/** Which accounts and newcomers organizations want signed in by their own provider. */
export function demandsOf(
  appUrl: URL,
  database: Database,
): Pick<Memberships, "requiredProvider" | "requiredOfInvited" | "demandOf"> {
  const providers = createProviderRepository(database);
  async function required({ id, emailKey, factors }: Pick<UserRow, "id" | "emailKey" | "factors">, identityId = "") {
    const found = await providers.required(id, domainOfKey(emailKey), identityId);
    return found === undefined || (found.rank === owner && factors !== 0) ? undefined : found;
  }
  return {
    async requiredProvider(user, identityId) {
      const found = await required(user, identityId);
      return found && { organizationId: found.organizationId, redirect: startOf(appUrl, found.slug) };
    },

    demandOf: async (user) => (await required(user))?.name,

    async requiredOfInvited(organizationId, emailKey) {
      const found = await providers.ofDomain(domainOfKey(emailKey));
      if (found?.organizationId !== organizationId || found.enforced !== 1) return undefined;
      return { organizationId, redirect: startOf(appUrl, found.slug) };
    },
  };
}

interface SignInOptions {
  readonly config: Pick<Config, "app" | "organizations">;
  readonly database: Database;
  readonly clock: Clock;
}

/** What signing in by the providers of organizations has to know of them. */
export function createOrganizationSignIn({ config, database, clock }: SignInOptions) {
  const { organizations: settings, app } = config;
  const organizations = createOrganizationRepository(database);
  const members = createMemberRepository(database);
  const domains = createDomainRepository(database);
  return createSignIn({
    config: settings,
    providers: createProviderRepository(database),
    members,
    joining: createDomainJoining({ config: settings, domains, organizations, members, clock }),
    seal: sealOf(app),
    clock,
  });
}
