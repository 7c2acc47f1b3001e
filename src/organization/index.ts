import type { OrganizationAuth } from "../auth/index.ts";
import type { ServiceGuard } from "../backend/index.ts";
import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import { activeOrganizations } from "./active.repository.ts";
import { createActs } from "./acts.ts";
import { createStandings } from "./actor.ts";
import { createMemberRepository } from "./member.repository.ts";
import { createMembers } from "./members.ts";
import { createOrganizationRepository } from "./organization.repository.ts";
import { createOrganizations } from "./organizations.ts";
import { routesOf } from "./routes/index.ts";

export { createMemberships } from "./memberships.ts";

interface OrganizationOptions {
  readonly config: Pick<Config, "organizations">;
  readonly database: Database;
  readonly auth: OrganizationAuth;
  readonly guard: ServiceGuard;
  readonly clock: Clock;
}

/** Companies and teams: who is in them, as what, and for which of them a session acts. */
export function createOrganizationService({ config, database, auth, guard, clock }: OrganizationOptions) {
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
  return { acts, module };
}
