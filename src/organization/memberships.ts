import type { Memberships } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { createMemberRepository } from "./member.repository.ts";
import { createOrganizationRepository } from "./organization.repository.ts";
import { owner, rankOf, readRoles } from "./roles.ts";

interface MembershipOptions {
  readonly config: { readonly maxPerPerson: number; readonly maxMembers: number };
  readonly database: Database;
  readonly clock: Clock;
}

/** What accounts have to know of organizations. */
export function createMemberships({ config, database, clock }: MembershipOptions): Memberships {
  const organizations = createOrganizationRepository(database);
  const members = createMemberRepository(database);
  return {
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
}
