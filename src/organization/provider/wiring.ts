import { domainOfKey, emailKey, type OrganizationAuth } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import { baseUrl } from "../../core/address/url.parts.ts";
import type { Clock } from "../../core/clock.ts";
import type { Seal } from "../../core/keys/seal.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Standings } from "../actor.ts";
import type { DomainRepository } from "../domain/domain.repository.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { createProviderRepository, providerName } from "./provider.repository.ts";
import { createProviders } from "./providers.ts";
import { createReseal } from "./reseal.ts";
import type { ProviderAddresses } from "./schemas.ts";

interface WiringOptions {
  readonly config: Pick<Config, "app" | "oauth">;
  readonly database: Database;
  readonly domains: DomainRepository;
  readonly organizations: OrganizationRepository;
  readonly standingOf: Standings;
  readonly seal: Seal;
  readonly auth: OrganizationAuth;
  readonly clock: Clock;
}

/** The providers of organizations: what their owners do with them, what a sign-in page may know, and their sealed secrets. */
export function wireProviders({ config, database, seal, auth, ...rows }: WiringOptions) {
  const providers = createProviderRepository(database);
  const { journal, requireFreshProof } = auth;
  const { plainHttp } = config.oauth;
  const at = (name: string, route: string): string => `${baseUrl(config.app.url)}/api/v1/auth/oauth/${name}/${route}`;
  const startOf = (slug: string): string => at(`org-${slug}`, "start");
  return {
    reseal: createReseal({ database, providers, seal }),
    acts: {
      providers: createProviders({ ...rows, providers, seal, plainHttp, journal, requireFreshProof }),

      /** The callback has the id in place of the slug: it stays where it is registered when the slug changes. */
      addressesOf: ({ id, slug }: { readonly id: string; readonly slug: string }): ProviderAddresses => ({
        start: startOf(slug),
        callback: at(providerName(id), "callback"),
      }),

      /** Returns the provider by which people with such an address can sign in. */
      async providerFor(login: string) {
        const key = emailKey(login);
        const found = key === undefined ? undefined : await providers.ofDomain(domainOfKey(key));
        return found && { name: found.name, start: startOf(found.slug), enforced: found.enforced === 1 };
      },
    },
  };
}

export type ProviderActs = ReturnType<typeof wireProviders>["acts"];
