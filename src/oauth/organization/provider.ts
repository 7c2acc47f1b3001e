import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";
import { ExchangeFailure } from "../exchange/failure.ts";
import type { Outbound } from "../exchange/outbound.ts";
import { openIdProvider } from "../openid/openid.provider.ts";
import type { Provider } from "../provider.ts";
import { nameInMails, type OrganizationSignIn, type SpeakingOrganization } from "./speaking.ts";

interface ProviderOptions {
  readonly organizations: OrganizationSignIn;
  readonly callbackUrl: (provider: string) => string;
  /** Returns the way out for an organization. */
  readonly sendFor: (organizationId: string) => Outbound;
  readonly plainHttp: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many providers are remembered with what they have told of themselves. */
const mostKept = 500;
const scopes = ["openid", "email", "profile"];

/** Makes the providers of organizations when somebody comes to them, and keeps those that are in use. */
export function createOrganizationProviders({ organizations, callbackUrl, sendFor, ...options }: ProviderOptions) {
  const kept = new Map<string, { readonly version: string; readonly provider: Provider }>();

  function made(organization: SpeakingOrganization): Provider {
    const { providerName: name, client } = organization;
    const { issuer, clientId, clientSecret } = client;
    const displayName = nameInMails(organization);
    const provider = openIdProvider({
      ...options,
      name,
      settings: { issuer, clientId, clientSecret: clientSecret ?? "", scopes, displayName },
      callbackUrl: callbackUrl(name),
      send: sendFor(organization.id),
    });
    if (clientSecret !== undefined) return provider;
    const refuse = (): Promise<never> => Promise.reject(new ExchangeFailure("secret_unreadable"));
    return { ...provider, authorizationUrl: refuse, profile: refuse };
  }

  function remembered(organization: SpeakingOrganization): Provider {
    const { providerName, client } = organization;
    const version = `${client.version}|${nameInMails(organization)}`;
    const known = kept.get(providerName);
    const provider = known?.version === version ? known.provider : made(organization);
    // The one that was used longest ago comes first, and goes first.
    kept.delete(providerName);
    kept.set(providerName, { version, provider });
    for (const [oldest] of kept) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return provider;
  }

  return async (name: string): Promise<Provider | undefined> => {
    const organization = name.startsWith("org-") ? await organizations.find(name) : undefined;
    return organization && { ...remembered(organization), organization };
  };
}
