import { domainOfKey, type UserRow } from "../../auth/index.ts";
import type { By, Occurrence } from "../../core/audit.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { MemberRepository } from "../member.repository.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import type { DomainRepository, Joinable } from "./domain.repository.ts";

interface JoiningOptions {
  readonly config: { readonly maxPerPerson: number; readonly maxMembers: number };
  readonly domains: DomainRepository;
  readonly organizations: Pick<OrganizationRepository, "countMember">;
  readonly members: Pick<MemberRepository, "insert">;
  readonly clock: Clock;
}

interface Joining {
  readonly statements: readonly Statement[];
  readonly tell: readonly Occurrence[];
}

type Person = Pick<UserRow, "id" | "emailKey" | "emailVerifiedAt">;

/** How people become members by the proven domain of their own proven address. */
export function createDomainJoining({ config, domains, organizations, members, clock }: JoiningOptions) {
  /** Returns whom a look is for; undefined for somebody whose address nobody has proven. */
  const lookerOf = ({ id, emailKey, emailVerifiedAt }: Person, provider = "") =>
    emailVerifiedAt === null ? undefined : { domain: domainOfKey(emailKey), userId: id, provider };

  return {
    /** Makes the statements, which hold only while all of it is so, and what is told. The person's row is locked before. */
    joining({ id, organizationId, joinMode }: Joinable, userId: string, by: By): Joining {
      return {
        statements: [
          organizations.countMember(organizationId, false, config.maxMembers),
          members.insert({ organizationId, userId, roles: "member", rank: 0 }, config.maxPerPerson, clock.now()),
          domains.holdJoin({ id, joinMode }),
        ],
        tell: [
          {
            topic: "organization.member-added",
            payload: { organization_id: organizationId, user_id: userId, roles: ["member"] },
            by,
          },
        ],
      };
    },

    /** Returns the organization that takes the person without being asked. `provider`: the one whose provider has signed them in. */
    async joinsItself(person: Person, provider?: string): Promise<Joinable | undefined> {
      const looker = lookerOf(person, provider);
      return looker && domains.joinsItself(looker);
    },

    /** Returns the organization that the person may join. */
    async mayJoin(person: Person): Promise<Joinable | undefined> {
      const looker = lookerOf(person);
      return looker && domains.mayJoin(looker);
    },
  };
}

export type DomainJoining = ReturnType<typeof createDomainJoining>;
