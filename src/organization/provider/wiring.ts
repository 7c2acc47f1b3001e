import { domainOfKey, emailKey, type OrganizationAuth } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Seal } from "../../core/keys/seal.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Standings } from "../actor.ts";
import type { DomainRepository } from "../domain/domain.repository.ts";
import type { MemberRepository } from "../member.repository.ts";
import { demandsOf } from "../memberships.ts";
import type { OwnerNotices } from "../owner.notices.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { callbackOf, startOf } from "./addresses.ts";
import { createProviderRepository } from "./provider.repository.ts";
import { createProviders } from "./providers.ts";
import { createReseal } from "./reseal.ts";
import type { ProviderAddresses } from "./schemas.ts";
import { createSigningOut } from "./signing.out.ts";

interface WiringOptions {
  readonly config: Pick<Config, "app" | "oauth">;
  readonly database: Database;
  readonly domains: DomainRepository;
  readonly organizations: OrganizationRepository;
  readonly members: MemberRepository;
  readonly standingOf: Standings;
  readonly tellOwners: OwnerNotices;
  readonly seal: Seal;
  readonly auth: OrganizationAuth;
  readonly clock: Clock;
}

/** The providers of organizations: what their owners do with them, what a sign-in page may know, and their sealed secrets. */
export function wireProviders({ config, database, seal, auth, ...rows }: WiringOptions) {
  const providers = createProviderRepository(database);
  const { journal, requireFreshProof } = auth;
  const { plainHttp } = config.oauth;
  const { url } = config.app;
  const { requiredProvider } = demandsOf(url, database);
  const signingOut = createSigningOut({ ...rows, providers, requiredProvider, auth });
  return {
    seal,
    plainHttp,
    jobs: signingOut.jobs,
    providerRows: providers,
    reseal: createReseal({ database, providers, seal }),
    acts: {
      providers: createProviders({ ...rows, providers, seal, plainHttp, journal, requireFreshProof }),

      signMembersOut: signingOut.ask,

      addressesOf: ({ id, slug }: { readonly id: string; readonly slug: string }): ProviderAddresses => ({
        start: startOf(url, slug),
        callback: callbackOf(url, id),
      }),

      /** Returns the provider by which people with such an address can sign in. */
      async providerFor(login: string) {
        const key = emailKey(login);
        const found = key === undefined ? undefined : await providers.ofDomain(domainOfKey(key));
        return found && { name: found.name, start: startOf(url, found.slug), enforced: found.enforced === 1 };
      },
    },
  };
}

export type ProviderActs = ReturnType<typeof wireProviders>["acts"];
