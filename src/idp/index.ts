import { Elysia } from "elysia";
import type { ProviderAuth } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import type { AuditEntry } from "../core/audit.ts";
import { basePath, baseUrl } from "../core/address/url.parts.ts";
import type { Clock } from "../core/clock.ts";
import { deriveKey } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Declined, RequestFacts } from "../http/index.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { createFormTokens } from "../http/pages/form.tokens.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import type { Log } from "../observe/index.ts";
import { createAskedMarks } from "./authorize/asked.ts";
import { createAuthorization } from "./authorize/authorization.ts";
import { authorizePath, authorizeRoutes, consentPath } from "./authorize/authorize.routes.tsx";
import { createCodeRepository } from "./authorize/code.repository.ts";
import { createCodes } from "./authorize/codes.ts";
import { createConsentRepository } from "./authorize/consent.repository.ts";
import { createPushed } from "./authorize/pushed.ts";
import { createPushedRepository } from "./authorize/pushed.repository.ts";
import { staleIdpRows } from "./cleanup.repository.ts";
import { createClientAuthentication } from "./client/authentication.ts";
import type { Client } from "./client/client.ts";
import { clientRoutes } from "./client/client.routes.ts";
import { createBrowserOrigins } from "./client/browser.origins.ts";
import { createClientRepository } from "./client/client.repository.ts";
import { createClients } from "./client/clients.ts";
import { createKeys } from "./keys/keys.ts";
import { localKey } from "./keys/local.key.repository.ts";
import { createLogoutJob, logoutJobName, type Post } from "./logout/logout.job.ts";
import { logoutForms, logoutRoutes } from "./logout/logout.routes.tsx";
import { metadataRoutes } from "./metadata.routes.ts";
import { createFrame, scriptAsset, styleAsset } from "./pages/frame.tsx";
import { createEndpoints } from "./protocol/http.ts";
import { createDpop } from "./token/dpop.ts";
import { createGrants } from "./token/grants.ts";
import { createIntrospection } from "./token/introspection.ts";
import { createProofRepository } from "./token/proof.repository.ts";
import { introspectPath, parPath, revokePath, tokenEndpoints, tokenPath, userinfoPath } from "./token/token.routes.ts";
import { createTokens } from "./token/tokens.ts";

export type { Client } from "./client/client.ts";
export type { Clients } from "./client/clients.ts";

/** How an act of the provider ended, for metrics: a grant, a refusal or a sign-out, with a word of a closed set. */
export type ProviderEvent = { readonly act: "grant" | "refusal" | "logout"; readonly what: string };

interface IdpOptions {
  readonly config: Pick<Config, "app" | "auth" | "idp">;
  readonly database: Database;
  readonly auth: ProviderAuth;
  readonly audit: { row(entry: AuditEntry): Statement };
  readonly facts: RequestFacts;
  /** Calls programs of others, by the guarded way out. */
  readonly post: Post;
  readonly count: (event: ProviderEvent) => void;
  /** Shows in inspects why a program was refused. */
  readonly watch?: ((refusal: Declined) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type Idp = ReturnType<typeof createIdp>;

/** Signs people in for other programs: OAuth 2.1 and OpenID Connect. */
export function createIdp(options: IdpOptions) {
  const { config, database, auth, audit, count, watch, clock, log } = options;
  const { app, idp } = config;
  const issuer = baseUrl(app.url);
  const rows = createClientRepository(database);
  const find = (id: string): Promise<Client | undefined> => rows.byId(id);
  const keys = createKeys({
    access: async () => config.auth.jwtPrivateKey ?? localKey(database, "access"),
    rsa: async () => idp.rsaPrivateKey ?? localKey(database, "rsa"),
    previous: [...config.auth.jwtPreviousPublicKeys, ...idp.previousRsaPublicKeys],
  });
  const revokeOfClient = auth.delegations.revokeOfClient;
  const clients = createClients({ database, rows, audit, revokeOfClient, algorithms: keys.idTokenAlgorithms, clock });
  const tokens = createTokens({
    keys,
    issuer,
    ttlMs: config.auth.accessTtlMs,
    methodsOf: auth.methodsOf,
    claimsFor: auth.claimsFor,
    clock,
  });
  const introspect = createIntrospection({ auth, tokens, find });
  /** Counts the refusal of a program, and tells operators what the program itself is not told. */
  function decline(refusal: Declined): void {
    count({ act: "refusal", what: refusal.code });
    watch?.(refusal);
    log.info("a program was refused", { ...refusal });
  }
  return {
    isEnabled: idp.enabled,
    clients,
    publishedKeys: keys.published,
    bearerOf: introspect.bearerOf,
    introspect: introspect.ofAccess,
    module: (brand: Pick<Brand, "product" | "style" | "logo">) =>
      idpModule({ ...options, issuer, decline, clients, find, keys, tokens, introspect, brand, list: rows.list }),
  };
}

interface Parts extends IdpOptions {
  readonly decline: (refusal: Declined) => void;
  readonly issuer: string;
  readonly clients: Idp["clients"];
  readonly find: (id: string) => Promise<Client | undefined>;
  readonly keys: ReturnType<typeof createKeys>;
  readonly tokens: ReturnType<typeof createTokens>;
  readonly introspect: ReturnType<typeof createIntrospection>;
  readonly brand: Pick<Brand, "product" | "style" | "logo">;
  readonly list: () => Promise<readonly Client[]>;
}

/** What a person's browser meets: the authorization endpoint, and the ways out. */
function pagesOf(parts: Parts, { codes, pushed }: Stores) {
  const { config, database, auth, tokens, find, brand, facts, count, clock } = parts;
  const key = deriveKey(config.auth.jwtSecret, "idp/pages");
  const shared = {
    frame: createFrame({ base: basePath(config.app.url), brand }),
    forms: createFormTokens(key),
    appUrl: config.app.url,
    facts,
  };
  const authorization = createAuthorization({
    find,
    auth,
    tokens,
    codes,
    consents: createConsentRepository(database),
    pushed,
    marks: createAskedMarks(deriveKey(config.auth.jwtSecret, "idp/asked"), clock),
    onRefusal: (client, { code, why, message }) =>
      parts.decline({ code, reason: why ?? code, message, program: client.name }),
    clock,
  });
  return new Elysia()
    .use(assetRoutes("idp/assets", [styleAsset, scriptAsset]))
    .use(
      authorizeRoutes({
        ...shared,
        auth,
        authorization,
        onUnknown: (reason, message) => parts.decline({ code: reason, reason, message, program: undefined }),
      }),
    )
    .use(clientRoutes({ find }))
    .use(logoutRoutes({ ...shared, auth, find, tokens, onLogout: () => count({ act: "logout", what: "browser" }) }));
}

interface Stores {
  readonly codes: ReturnType<typeof createCodes>;
  readonly pushed: ReturnType<typeof createPushed>;
}

/** What programs call: tokens, and questions about them. */
function endpointsOf(parts: Parts, { codes, pushed }: Stores) {
  const { issuer, database, auth, clients, find, tokens, introspect, list, facts, count, clock, log } = parts;
  const isOpen: Parameters<typeof createGrants>[0]["isOpen"] = ({ settings: { role } }, { roles }) =>
    role === null || roles.split(" ").includes(role);
  const grants = createGrants({ auth, codes, tokens, isOpen });
  /** The names of the programs that requests say they are of. */
  const callers = new WeakMap<Request, string>();
  const authenticate = createClientAuthentication({
    find,
    checkAssertion: () => Promise.reject(new Error("not yet")),
    onNamed: (request, client) => void callers.set(request, client.name),
  });
  const endpoints = createEndpoints({
    facts,
    log,
    isBrowserOrigin: createBrowserOrigins({ list, clock }),
    onRefusal: ({ code, why, message }, request) =>
      parts.decline({ code, reason: why ?? code, message, program: callers.get(request) }),
    onFailure: (error) => count({ act: "refusal", what: error.reason }),
  });
  const routes = tokenEndpoints({
    endpoints,
    auth,
    authenticate,
    clients,
    grants,
    pushed,
    tokens,
    introspect,
    dpop: createDpop({ proofs: createProofRepository(database), issuer, clock }),
    onGrant: (what) => count({ act: "grant", what }),
  });
  return { routes, grants: Object.keys(grants) };
}

function idpModule(parts: Parts) {
  const { issuer, database, auth, find, keys, post, count, clock } = parts;
  const stores = {
    codes: createCodes({ database, rows: createCodeRepository(database), delegations: auth.delegations, clock }),
    pushed: createPushed({ database, rows: createPushedRepository(database), clock }),
  };
  const programs = endpointsOf(parts, stores);
  const routes = new Elysia({ name: "idp" })
    .use(metadataRoutes({ issuer, keys, grants: programs.grants, documentsSupported: false }))
    .use(pagesOf(parts, stores))
    .use(programs.routes);
  const forPrograms = [tokenPath, parPath, userinfoPath, revokePath, introspectPath];
  const forms = new Set<string>([
    ...forPrograms,
    authorizePath,
    consentPath,
    ...logoutForms.awaited,
    ...logoutForms.own,
  ]);
  const logoutJob = createLogoutJob({
    find,
    keys,
    issuer,
    post,
    onLogout: (what) => count({ act: "logout", what }),
    clock,
  });
  const module: Module<typeof routes> = {
    routes,
    awaitedForms: [...forPrograms, authorizePath, ...logoutForms.awaited],
    takesForm: (path) => forms.has(path),
    isNavigated: (path) => path === authorizePath || path === logoutForms.awaited[0],
    jobs: { [logoutJobName]: logoutJob },
    stale: staleIdpRows(database),
  };
  return module;
}
