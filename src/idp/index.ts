import { Elysia } from "elysia";
import { baseUrl } from "../core/address/url.parts.ts";
import { deriveKey } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { createCodeRepository } from "./authorize/code.repository.ts";
import { createCodes } from "./authorize/codes.ts";
import { createConsentRepository } from "./authorize/consent.repository.ts";
import { createPushed } from "./authorize/pushed.ts";
import { createPushedRepository } from "./authorize/pushed.repository.ts";
import { staleIdpRows } from "./cleanup.repository.ts";
import type { FindClient } from "./client/client.ts";
import { createClientRepository } from "./client/client.repository.ts";
import { createClients } from "./client/clients.ts";
import { createReader } from "./client/published.ts";
import { createDeviceRepository } from "./device/device.repository.ts";
import { createDevices } from "./device/devices.ts";
import { createKeys } from "./keys/keys.ts";
import { localKey } from "./keys/local.key.repository.ts";
import { createLogoutJob, logoutJobName } from "./logout/logout.job.ts";
import { metadataRoutes } from "./metadata.routes.ts";
import { createDocuments } from "./strangers/documents.ts";
import { createIntrospection } from "./token/introspection.ts";
import { createTokens } from "./token/tokens.ts";
import { endpointForms, endpointsOf } from "./wiring/endpoints.ts";
import { pageForms, pagesOf } from "./wiring/pages.ts";
import { createRefusals } from "./wiring/refusals.ts";
import type { IdpOptions, Parts, Stores } from "./wiring/parts.ts";

import type { Words } from "../words/index.ts";

export { createApps } from "./apps/apps.ts";
export { appsModule } from "./apps/apps.routes.ts";
export type { Client } from "./client/client.ts";
export type { Clients } from "./client/clients.ts";
export type { ProviderEvent } from "./wiring/parts.ts";

/** Signs people in for other programs: OAuth 2.1 and OpenID Connect. */
export function createIdp(options: IdpOptions) {
  const { config, database, auth, audit, count, watch, facts, clock, log } = options;
  const { app, idp } = config;
  const issuer = baseUrl(app.url);
  const rows = createClientRepository(database);
  const keys = createKeys({
    access: async () => config.auth.jwtPrivateKey ?? localKey(database, "access"),
    rsa: async () => idp.rsaPrivateKey ?? localKey(database, "rsa"),
    previous: [...config.auth.jwtPreviousPublicKeys, ...idp.previousRsaPublicKeys],
  });
  const ofDocument = openDocuments(options, rows, keys);
  const find: FindClient = (id, asker) => (id.includes(":") ? ofDocument(id, asker) : rows.byId(id));
  const clients = createClients({
    database,
    rows,
    audit,
    revokeOfClient: auth.delegations.revokeOfClient,
    forgetConsents: createConsentRepository(database).forget,
    algorithms: keys.idTokenAlgorithms,
    clock,
  });
  const tokens = createTokens({
    keys,
    issuer,
    ttlMs: config.auth.accessTtlMs,
    levelOf: auth.levelOf,
    actorOf: auth.actorOf,
    claimsFor: auth.claimsFor,
    clock,
  });
  const introspect = createIntrospection({ auth, tokens, byId: rows.byId });
  const decline = createRefusals({ auth, uses: audit.uses, count, watch, facts, log });
  return {
    clients,
    publishedKeys: keys.published,
    bearerOf: introspect.bearerOf,
    introspect: introspect.ofAccess,
    module: (speaks: { readonly words: Words; readonly brand: Pick<Brand, "mark" | "look"> }) =>
      idpModule({ ...options, ...speaks, issuer, decline, clients, find, keys, tokens, introspect, rows }),
  };
}

function openDocuments({ config, read, clock, log }: IdpOptions, rows: Parts["rows"], keys: Parts["keys"]) {
  return createDocuments({
    rules: { documents: config.idp.clientMetadataDocuments, plainHttp: config.oauth.plainHttp },
    read: createReader(read),
    rows,
    algorithms: keys.idTokenAlgorithms,
    onUnreadable: (id, error) => log.info("the document of a program could not be read", { program: id, error }),
    clock,
  });
}

function storesOf({ config, database, auth, clock }: Parts): Stores {
  const { delegations } = auth;
  const key = deriveKey(config.auth.jwtSecret, "idp/devices");
  return {
    codes: createCodes({ database, rows: createCodeRepository(database), delegations, clock }),
    devices: createDevices({ rows: createDeviceRepository(database), delegations, key, clock }),
    pushed: createPushed({ database, rows: createPushedRepository(database), clock }),
  };
}

function idpModule(parts: Parts) {
  const { config, issuer, database, find, keys, post, count, clock } = parts;
  const stores = storesOf(parts);
  const programs = endpointsOf(parts, stores);
  const routes = new Elysia({ name: "idp" })
    .use(
      metadataRoutes({
        issuer,
        keys,
        grants: programs.grants,
        registers: config.idp.registration !== "off",
        documentsSupported: config.idp.clientMetadataDocuments !== "off",
        languages: parts.words.languages,
      }),
    )
    .use(pagesOf(parts, stores))
    .use(programs.routes);
  const forms = new Set<string>([...endpointForms, ...pageForms.awaited, ...pageForms.own]);
  const navigated = new Set<string>(pageForms.navigated);
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
    awaitedForms: [...endpointForms, ...pageForms.awaited],
    takesForm: (path) => forms.has(path),
    isNavigated: (path) => navigated.has(path),
    jobs: { [logoutJobName]: logoutJob },
    stale: staleIdpRows(database),
  };
  return module;
}
