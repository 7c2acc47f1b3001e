import { Elysia } from "elysia";
import type { FederatedAuth } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import { basePath, baseUrl } from "../core/address/url.parts.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import { createBrowserBinding, type RequestFacts } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { IdentityRepository } from "./identity/identity.repository.ts";
import { identityRoutes } from "./identity/identity.routes.ts";
import { createIdentityService } from "./identity/identity.service.ts";
import { invitedRoutes } from "./invited.routes.ts";
import { callbackRoute, oauthRoutes } from "./oauth.routes.ts";
import { createOAuthService } from "./oauth.service.ts";
import { createOutbound, type Outbound } from "./outbound.ts";
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
  readonly facts: RequestFacts;
  /** Called with the names of the providers, so that their flows are counted from zero. */
  readonly announceProviders: Metrics["announceProviders"];
  /** Wraps requests to providers in order to record them. */
  readonly watchCalls?: ((send: Outbound) => Outbound) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Makes sign-in through GitHub, Google, Microsoft, Apple and other OpenID providers, whichever are configured, and linking them to an
 * account.
 */
export function createOAuth(options: OAuthOptions) {
  const {
    config,
    database,
    identities: identityRows,
    auth,
    facts,
    announceProviders,
    watchCalls,
    clock,
    log,
  } = options;
  const { oauth } = config;
  const appUrl = config.app.url;
  const base = baseUrl(appUrl);
  const path = basePath(appUrl);

  const send = createOutbound({ plainHttp: oauth.plainHttp });
  const providers = createProviders({
    config: oauth,
    callbackUrl: (provider) => `${base}${callbackRoute(provider)}`,
    send: watchCalls?.(send) ?? send,
    clock,
    log,
  });
  announceProviders(providers.map(({ name }) => name));
  const identities = createIdentityService({
    auth,
    identities: identityRows,
    providers,
    clock,
  });
  const stateRows = createStateRepository(database);
  const states = createStateService({ database, states: stateRows, ttlMs: oauth.stateTtlMs, clock });
  const service = createOAuthService({
    auth,
    states,
    identities,
    appOrigin: appUrl.origin,
    home: `${path}/`,
    log,
  });
  const browsers = createBrowserBinding({
    name: "auth_oauth",
    isSecure: auth.cookies.isSecure,
    https: appUrl.protocol === "https:",
    ttlMs: oauth.stateTtlMs,
  });

  const navigated = oauthRoutes({ auth, oauth: service, providers, browsers, appUrl, basePath: path, facts });
  const invited = invitedRoutes({ auth, oauth: service, providers, browsers });
  const routes = new Elysia().use(identityRoutes({ identities, auth })).use(providerRoutes(providers));
  if (providers.length > 0) routes.use(navigated).use(invited);

  const module: Module = {
    stale: [{ name: "expired_oauth_states", deleteSome: stateRows.deleteExpired, count: stateRows.countExpired }],
  };
  // Apple's page posts its answer to the callback, as a form from another site.
  const awaitedForms = providers.map(({ name }) => callbackRoute(name));
  const isNavigated = (path: string): boolean => path.startsWith("/api/v1/auth/oauth/");
  const described = providers.length > 0 ? [] : [...navigated.routes, ...invited.routes];
  const api: Module<typeof routes> = { routes, described, awaitedForms, isNavigated };
  const names: ReadonlyMap<string, string> = new Map([
    ...Object.entries(knownProviderNames),
    ...providers.map(({ name, displayName }) => [name, displayName] as const),
  ]);
  return {
    module,
    api,
    /** Returns what people call a provider. An unknown one has nothing but the name of its settings. */
    nameOf: (provider: string): string => names.get(provider) ?? provider,
    providers: providers.map(({ name, displayName, kind }) => ({ name, label: displayName, kind })),
  };
}
