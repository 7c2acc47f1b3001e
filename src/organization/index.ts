import type { OrganizationAuth } from "../auth/index.ts";
import type { ServiceGuard } from "../backend/index.ts";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { activeOrganizations } from "./active.repository.ts";
import { createOffice } from "./office.ts";
import { createActs } from "./acts.ts";
import { createStandings, type Standings } from "./actor.ts";
import { createDomainRepository } from "./domain/domain.repository.ts";
import { createDomains } from "./domain/domains.ts";
import { createJoinActs } from "./domain/join.acts.ts";
import { createDomainJoining } from "./domain/joining.ts";
import { createTextLookup } from "./domain/lookup.ts";
import { createDomainRecheck } from "./domain/recheck.ts";
import { createMemberRepository, type MemberRepository } from "./member.repository.ts";
import { sealOf } from "./memberships.ts";
import { createMembers } from "./members.ts";
import { createOwnerNotices, type OwnerNotices } from "./owner.notices.ts";
import { createOrganizationRepository, type OrganizationRepository } from "./organization.repository.ts";
import { createOrganizations } from "./organizations.ts";
import { wireProviders } from "./provider/wiring.ts";
import { peopleRoutesOf, serviceRoutesOf } from "./routes/index.ts";
import { createOrganizationExport } from "./transfer/export.ts";
import { createOrganizationImport } from "./transfer/import.ts";
import type { JudgeOptions } from "./transfer/judge.ts";

export { createMemberships, createOrganizationSignIn } from "./memberships.ts";
export type { Domain } from "./domain/domain.repository.ts";
export type { ProviderRow as OrganizationProvider } from "./provider/provider.repository.ts";
export type { Member } from "./member.repository.ts";
export type { FoundOrganization } from "./organization.repository.ts";
export { readRoles } from "./roles.ts";

interface OrganizationOptions {
  readonly config: Pick<Config, "app" | "oauth" | "organizations">;
  readonly database: Database;
  readonly auth: OrganizationAuth;
  /** Finds the accounts that a file names. */
  readonly accountsNamed: JudgeOptions["accountsNamed"];
  readonly guard: ServiceGuard;
  readonly clock: Clock;
  readonly log: Log;
}

interface Rows {
  readonly organizations: OrganizationRepository;
  readonly members: MemberRepository;
  readonly standingOf: Standings;
  readonly tellOwners: OwnerNotices;
}

/** The domains of organizations, how people join by them, the schedule that looks at their proofs again, and providers. */
function wireDomains({ config, database, auth, clock, log }: OrganizationOptions, rows: Rows) {
  const domains = createDomainRepository(database);
  const servers = config.organizations.dnsServers;
  const lookUp = createTextLookup({ servers });
  // The schedule has turns of its own: who has names looked up that nobody answers for would let the proofs of others grow old.
  const lookUpAgain = createTextLookup({ servers });
  const { journal, limitHourly } = auth;
  const joining = createDomainJoining({ ...rows, config: config.organizations, domains, clock });
  const isMember = async (id: string, userId: string) => (await rows.members.find(id, userId)) !== undefined;
  const seal = sealOf(config.app);
  return {
    ...wireProviders({ ...rows, config, database, domains, seal, auth, clock }),
    domainRows: domains,
    domains: createDomains({ ...rows, domains, lookUp, journal, limitHourly, clock }),
    joining: createJoinActs({ auth, joining, isMember }),
    recheck: createDomainRecheck({ ...rows, database, domains, lookUp: lookUpAgain, journal, clock, log }),
  };
}

/** Companies and teams: who is in them, as what, and for which of them a session acts. */
export function createOrganizationService(options: OrganizationOptions) {
  const { config, database, auth, accountsNamed, guard, clock } = options;
  const rows = createOrganizationRepository(database);
  const memberRows = createMemberRepository(database);
  const standingOf = createStandings({ organizations: rows, members: memberRows });
  const parts = {
    config: config.organizations,
    organizations: rows,
    members: memberRows,
    standingOf,
    tellOwners: createOwnerNotices({ organizations: rows, members: memberRows, noticeOf: auth.noticeOf }),
    journal: auth.journal,
    lockUser: auth.lockUser,
    limitHourly: auth.limitHourly,
    clock,
  };
  const { domains, joining, recheck, reseal, acts: provided, ...kept } = wireDomains(options, parts);
  const acts = createActs({
    auth,
    organizations: createOrganizations(parts),
    members: createMembers({ ...parts, forgetActive: activeOrganizations.forget }),
    domains,
    joining,
    provided,
    standingOf,
    rows,
    memberRows,
  });
  const isEnabled = config.organizations.enabled;
  const peopleRoutes = peopleRoutesOf({ acts, auth });
  const api: Module<typeof peopleRoutes> = isEnabled
    ? { routes: peopleRoutes, roomy: ["/api/v1/auth/organizations/:id"] }
    : { described: peopleRoutes.routes };
  const routes = serviceRoutesOf({ acts, guard });
  const module: Module<typeof routes> = isEnabled
    ? { routes, roomy: ["/api/v1/organizations/:id"], jobs: kept.jobs, schedules: [recheck] }
    : { described: routes.routes };
  const movable = { domains: kept.domainRows, providers: kept.providerRows, invitations: auth.invitations };
  const transfer = {
    export: createOrganizationExport({ journal: auth.journal, rows, memberRows, ...movable }),
    import: createOrganizationImport({
      config: config.organizations,
      rows,
      memberRows,
      accountsNamed,
      parts: { ...movable, seal: kept.seal, plainHttp: kept.plainHttp },
      journal: auth.journal,
      lockAnyUser: auth.lockAnyUser,
      clock,
    }),
  };
  /** For staff and operators; undefined where people belong to no organizations. */
  const desk = isEnabled ? { ...createOffice({ rows, memberRows }), acts, transfer } : undefined;
  return { acts, desk, api, module, reseal };
}

export type OrganizationDesk = NonNullable<ReturnType<typeof createOrganizationService>["desk"]>;
