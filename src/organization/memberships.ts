import type { Memberships } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { createDomainRepository } from "./domain/domain.repository.ts";
import { createDomainJoining } from "./domain/joining.ts";
import { createMemberRepository } from "./member.repository.ts";
import { createOrganizationRepository } from "./organization.repository.ts";
import { owner, rankOf, readRoles } from "./roles.ts";

interface MembershipOptions {
  readonly config: { readonly enabled?: boolean; readonly maxPerPerson: number; readonly maxMembers: number };
  readonly database: Database;
  readonly clock: Clock;
}

/** What accounts have to know of organizations. */
export function createMemberships({ config, database, clock }: MembershipOptions): Memberships {
  const organizations = createOrganizationRepository(database);
  const members = createMemberRepository(database);
  const domains = createDomainRepository(database);
  const joining = createDomainJoining({ config, domains, organizations, members, clock });
  const joiningByDomain: Memberships["joiningByDomain"] = async (person, by, provider) => {
    const found = await joining.joinsItself(person, provider);
    return found && joining.joining(found, person.id, by);
  };
  return {
    isLastOwner: organizations.isLastOwner,
    isMember: async (organizationId, userId) => (await members.find(organizationId, userId)) !== undefined,
    joining({ organizationId, userId, roles }) {
      const rank = rankOf(readRoles(roles));
      return [
        organizations.countMember(organizationId, rank === owner, config.maxMembers),
        members.insert({ organizationId, userId, roles, rank }, config.maxPerPerson, clock.now()),
      ];
    },
    joiningByDomain: config.enabled === true ? joiningByDomain : undefined,
  };
}
