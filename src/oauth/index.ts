import { Elysia } from "elysia";
import type { FederatedAuth } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import { basePath, baseUrl } from "../core/address/url.parts.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import { createBrowserBinding, type BrowserBinding, type RequestFacts } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";
import type { IdentityRepository } from "./identity/identity.repository.ts";
import { identityRoutes } from "./identity/identity.routes.ts";
import { createAdding } from "./identity/adding.ts";
import { createIdentityService, type IdentityService } from "./identity/identity.service.ts";
import { invitedRoutes } from "./invited.routes.ts";
import { newcomerRoutes } from "./newcomer.routes.ts";
import { callbackRoute, createNavigation, startRoute, type Navigation } from "./navigation.ts";
import { oauthRoutes } from "./oauth.routes.ts";
import { createOAuthService, type OAuthService } from "./oauth.service.ts";
import { createOutbound, type Outbound } from "./exchange/outbound.ts";
import { createGuardedOutbound, type Call } from "./organization/guarded.outbound.ts";
import { createOrganizationProviders } from "./organization/provider.ts";
import { createOrganizationSignIns } from "./organization/sign.in.ts";
import type { OrganizationSignIn } from "./organization/speaking.ts";
import type { FindProvider, Provider } from "./provider.ts";
import { providerRoutes } from "./provider.routes.ts";
import { knownProviderNames } from "../core/people/providers.ts";
import { createProviders } from "./providers.ts";
import { createStateRepository } from "./state.repository.ts";
import { createStateService } from "./state.service.ts";

export { createIdentityRepository } from "./identity/identity.repository.ts";

interface OAuthOptions {
  readonly config: Config;
  readonly database: Database;
  readonly identities: IdentityRepository;
  readonly auth: FederatedAuth;
  /** The providers of organizations. */
  readonly organizations: OrganizationSignIn;
  readonly waysOut: {
    /** The way to providers of organizations. */
    readonly call: Call;
    /** Resolves to what keeps requests from a host of the operator's providers, in words. */
    readonly inTheWay: (host: string) => Promise<string | undefined>;
  };
  readonly facts: RequestFacts;
  /** Is told which providers there are, so that their flows are counted from zero. */
  readonly announceProviders: Metrics["announceProviders"];
  /** Wraps requests to providers in order to record them. */
  readonly watchCalls?: ((send: Outbound) => Outbound) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface ApiOptions {
  readonly auth: FederatedAuth;
  readonly providers: readonly Provider[];
  readonly identities: IdentityService;
  readonly providerOf: FindProvider;
  readonly hasOrganizations: boolean;
  readonly oauth: OAuthService;
  readonly browsers: BrowserBinding;
  readonly navigation: Navigation;
}

/** Sign-in through GitHub, Google, Microsoft, Apple and other OpenID providers, whichever are configured, and linking them to an account. */
export function createOAuth(options: OAuthOptions) {
  const { config, database, auth, facts, announceProviders, watchCalls, clock, log } = options;
  const appUrl = config.app.url;
  const path = basePath(appUrl);
  const ttlMs = config.oauth.stateTtlMs;
  const send = createOutbound({ plainHttp: config.oauth.plainHttp, inTheWay: options.waysOut.inTheWay });
  const callbackUrl = (provider: string): string => `${baseUrl(appUrl)}${callbackRoute(provider)}`;
  const providers = createProviders({
    config: config.oauth,
    callbackUrl,
    send: watchCalls?.(send) ?? send,
    clock,
    log,
  });
  const hasOrganizations = config.organizations.enabled;
  announceProviders([...providers.map(({ name }) => name), ...(hasOrganizations ? ["organization"] : [])]);
  const { providerOf, identities } = wireProviders({ ...options, callbackUrl, providers });
  const stateRows = createStateRepository(database);
  const states = createStateService({ database, states: stateRows, ttlMs, clock });
  const oauth = createOAuthService({ auth, states, identities, appOrigin: appUrl.origin, home: `${path}/`, log });
  const { isSecure } = auth.cookies;
  const https = appUrl.protocol === "https:";
  const browsers = createBrowserBinding({ name: "auth_oauth", isSecure, https, ttlMs });
  const navigation = createNavigation({ auth, oauth, providerOf, browsers, basePath: path, facts });
  const module: Module = {
    stale: [{ name: "expired_oauth_states", deleteSome: stateRows.deleteExpired, count: stateRows.countExpired }],
  };
  const names: ReadonlyMap<string, string> = new Map([
    ...Object.entries(knownProviderNames),
    ...providers.map(({ name, displayName }) => [name, displayName] as const),
  ]);
  return {
    module,
    api: apiOf({ auth, providers, providerOf, hasOrganizations, identities, oauth, browsers, navigation }),
    /** What people call a provider. One that is not known has nothing but the name of its settings. */
    nameOf: (provider: string): string => names.get(provider) ?? provider,
    providers: providers.map(({ name, displayName, kind }) => ({ name, label: displayName, kind })),
  };
}

/** The providers of the operator and of organizations, and the accounts that identities at them sign in to. */
function wireProviders(
  options: OAuthOptions & { callbackUrl: (provider: string) => string; providers: readonly Provider[] },
) {
  const { config, auth, organizations, waysOut, callbackUrl, providers, clock, log } = options;
  const { plainHttp } = config.oauth;
  const sendFor = createGuardedOutbound({ call: waysOut.call, plainHttp });
  const ownProvider = config.organizations.enabled
    ? createOrganizationProviders({ organizations, callbackUrl, sendFor, plainHttp, clock, log })
    : async () => undefined;
  const adding = createAdding(options.identities);
  const rows = { auth, identities: options.identities, adding, clock };
  const signIns = createOrganizationSignIns({ ...rows, organizations });
  const namesOf = config.organizations.enabled ? organizations.namesOf : async () => new Map<string, string>();
  const providerOf: FindProvider = async (name) =>
    providers.find((provider) => provider.name === name) ?? ownProvider(name);
  return {
    providerOf,
    identities: createIdentityService({ ...rows, providers, own: { signIns, namesOf, find: ownProvider } }),
  };
}

/** The routes. Where no provider is configured, those that ask for one are in the API reference alone. */
function apiOf(options: ApiOptions) {
  const { auth, providers, providerOf, hasOrganizations, identities, oauth, browsers, navigation } = options;
  const hasProviders = providers.length > 0 || hasOrganizations;
  const navigated = oauthRoutes(auth.guard, navigation);
  const invited = invitedRoutes({ auth, oauth, providers, browsers });
  const newcomers = newcomerRoutes({ auth, oauth, providerOf, browsers });
  const routes = new Elysia().use(identityRoutes(identities, auth)).use(providerRoutes(providers));
  if (hasProviders) routes.use(navigated).use(invited).use(newcomers);
  // Apple's page posts its answer to the callback, as a form from another site.
  const awaitedForms = providers.map(({ name }) => callbackRoute(name));
  const ownForms = new Set(providers.map(({ name }) => startRoute(name)));
  const isOrganizations = (path: string): boolean =>
    hasOrganizations && /^\/api\/v1\/auth\/oauth\/org-[a-z0-9-]+\/start$/.test(path);
  const isNavigated = (path: string): boolean => path.startsWith("/api/v1/auth/oauth/");
  const described = hasProviders ? [] : [...navigated.routes, ...invited.routes, ...newcomers.routes];
  const takesForm = (path: string): boolean => ownForms.has(path) || isOrganizations(path);
  const api: Module<typeof routes> = { routes, described, awaitedForms, takesForm, isNavigated };
  return api;
}
