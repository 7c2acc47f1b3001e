import type { OrganizationAuth } from "../auth/index.ts";
import type { ServiceGuard } from "../backend/index.ts";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import { activeOrganizations } from "./active.repository.ts";
import { createOffice } from "./office.ts";
import { createActs } from "./acts.ts";
import { createStandings } from "./actor.ts";
import { createMemberRepository } from "./member.repository.ts";
import { createMembers } from "./members.ts";
import { createOrganizationRepository } from "./organization.repository.ts";
import { createOrganizations } from "./organizations.ts";
import { routesOf } from "./routes/index.ts";
import { createOrganizationExport } from "./transfer/export.ts";
import { createOrganizationImport } from "./transfer/import.ts";
import type { JudgeOptions } from "./transfer/judge.ts";

export { createMemberships } from "./memberships.ts";
export type { Member } from "./member.repository.ts";
export type { FoundOrganization } from "./organization.repository.ts";
export { readRoles } from "./roles.ts";

interface OrganizationOptions {
  readonly config: Pick<Config, "organizations">;
  readonly database: Database;
  readonly auth: OrganizationAuth;
  /** Finds the accounts that a file names. */
  readonly accountsNamed: JudgeOptions["accountsNamed"];
  readonly guard: ServiceGuard;
  readonly clock: Clock;
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
    journal: auth.journal,
    lockUser: auth.lockUser,
    clock,
  };
  const acts = createActs({
    auth,
    organizations: createOrganizations(parts),
    members: createMembers({ ...parts, forgetActive: activeOrganizations.forget }),
    standingOf,
    rows,
    memberRows,
  });
  const routes = routesOf({ acts, auth, guard });
  const module: Module<typeof routes> = config.organizations.enabled
    ? { routes, roomy: ["/api/v1/auth/organizations/:id", "/api/v1/organizations/:id"] }
    : { described: routes.routes };
  const transfer = {
    export: createOrganizationExport({ journal: auth.journal, rows, memberRows }),
    import: createOrganizationImport({
      config: config.organizations,
      rows,
      memberRows,
      accountsNamed,
      journal: auth.journal,
      lockAnyUser: auth.lockAnyUser,
      clock,
    }),
  };
  /** For staff and operators; undefined where people belong to no organizations. */
  const desk = config.organizations.enabled ? { ...createOffice({ rows, memberRows }), acts, transfer } : undefined;
  return { acts, desk, module };
}

export type OrganizationDesk = NonNullable<ReturnType<typeof createOrganizationService>["desk"]>;
