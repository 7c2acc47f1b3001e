import { domainOfKey, hasStaffRole, type UserRow } from "../../auth/index.ts";
import type { By } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { isId } from "../../core/ids.ts";
import { providerOfOrganization } from "../../core/people/providers.ts";
import type { Seal } from "../../core/keys/seal.ts";
import type { DomainJoining } from "../domain/joining.ts";
import type { MemberRepository } from "../member.repository.ts";
import type { ProviderRepository } from "./provider.repository.ts";

interface SignInOptions {
  readonly config: { readonly maxMembers: number };
  readonly providers: ProviderRepository;
  readonly members: Pick<MemberRepository, "find">;
  readonly joining: DomainJoining;
  readonly seal: Seal;
  readonly clock: Clock;
}

/** An organization whose provider may sign people in, with its proven domains. */
interface Speaking {
  readonly id: string;
  readonly domains: readonly string[];
}

const prefix = "org-";

/** Whom the provider of an organization signs in, and whose account it is linked to. */
export function createSignIn(options: SignInOptions) {
  const { config, providers, members, joining, seal, clock } = options;

  const isBelow = (user: UserRow, domains: readonly string[]): boolean =>
    user.emailVerifiedAt !== null && domains.includes(domainOfKey(user.emailKey));

  return {
    /** Returns the provider that an address or a row names, while its organization has a proven domain. */
    async find(name: string) {
      const key = name.startsWith(prefix) ? name.slice(prefix.length) : "";
      const row = isId(key) ? await providers.inForceById(key) : await providers.inForceBySlug(key);
      if (row === undefined) return undefined;
      const { organizationId: id, slug, issuer, clientId, secret, members: count, updatedAt } = row;
      return {
        id,
        slug,
        name: row.name,
        providerName: providerOfOrganization(id),
        domains: await providers.domainsOf(id),
        hasRoom: count < config.maxMembers,
        client: { issuer, clientId, clientSecret: seal.open(secret, id), version: `${updatedAt}|${secret}` },
      };
    },

    hold: providers.hold,

    /** Returns the providers that sign the person in, by their names in rows, with what people call their organizations. */
    namesOf: async (userId: string): Promise<ReadonlyMap<string, string>> =>
      new Map(
        (await providers.ofUser(userId)).map(({ organizationId, name }) => [
          providerOfOrganization(organizationId),
          name,
        ]),
      ),

    /** Whether the provider signs in to the account: that of a member with a proven address below the domain. */
    signsIn: async ({ id, domains }: Speaking, user: UserRow): Promise<boolean> =>
      isBelow(user, domains) && (await members.find(id, user.id)) !== undefined,

    /**
     * Makes the guards by which the provider is linked to an account without its person's asking; undefined where they have to ask. That is
     * done for who is in this organization alone, or joins it by the domain, and never for staff.
     */
    async linking({ id, domains }: Speaking, user: UserRow, by: By) {
      if (!isBelow(user, domains) || hasStaffRole(user.roles)) return undefined;
      const memberships = await providers.membershipsOf(user.id);
      if (memberships.some((other) => other !== id)) return undefined;
      const linked = providers.link(id, user.id, clock.now());
      if (memberships.length > 0) return { statements: [linked], tell: [] };
      const joinable = await joining.joinsItself(user, id);
      if (joinable?.organizationId !== id) return undefined;
      const joined = joining.joining(joinable, user.id, by);
      return { statements: [...joined.statements, linked], tell: joined.tell };
    },
  };
}
