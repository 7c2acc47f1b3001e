import { Elysia } from "elysia";
import type { Client } from "../client/client.ts";
import { createAssertions } from "../client/assertion.ts";
import { createClientAuthentication } from "../client/authentication.ts";
import { createClientKeys } from "../client/client.keys.ts";
import { createReader } from "../client/published.ts";
import { createOriginRepository } from "../client/origin.repository.ts";
import { deviceAuthorizationPath, deviceEndpoint } from "../device/device.endpoint.ts";
import { createEndpoints, type Endpoints } from "../protocol/http.ts";
import { createRegistration, registerPath } from "../strangers/registration.ts";
import { createCallerOf } from "../token/caller.ts";
import { createDpop } from "../token/dpop.ts";
import { createGrants } from "../token/grants.ts";
import { createProofRepository } from "../token/proof.repository.ts";
import { introspectPath, parPath, revokePath, tokenEndpoints, tokenPath, userinfoPath } from "../token/token.routes.ts";
import type { Parts, Stores } from "./parts.ts";

/** What programs call: tokens, questions about them, and codes for devices. */
export function endpointsOf(parts: Parts, { codes, devices, pushed }: Stores) {
  const { config, issuer, database, auth, clients, find, tokens, introspect, facts, count, clock, log } = parts;
  const grants = createGrants({ auth, codes, devices, tokens });
  const proofs = createProofRepository(database);
  /** The programs that requests say they are of. */
  const callers = new WeakMap<Request, Client>();
  const authenticate = createClientAuthentication({
    find,
    checkAssertion: createAssertions({
      verifyByKeysOf: createClientKeys({ read: createReader(parts.read), plainHttp: config.oauth.plainHttp, clock }),
      proofs,
      issuer,
      tokenEndpoint: `${issuer}${tokenPath}`,
      onUnreadable: ({ name }, error) => log.warn("the keys of a program could not be read", { program: name, error }),
      clock,
    }),
    onNamed: (request, client) => void callers.set(request, client),
  });
  const endpoints = createEndpoints({
    facts,
    log,
    isBrowserOrigin: createOriginRepository(database).isOfBrowser,
    onRefusal: (request, error) => parts.decline(request, { error, client: callers.get(request) }),
    onFailure: (error) => count({ act: "refusal", what: error.reason }),
  });
  const callerOf = createCallerOf({ auth, authenticate, clients });
  const routes = tokenEndpoints({
    endpoints,
    auth,
    authenticate,
    callerOf,
    grants,
    pushed,
    tokens,
    introspect,
    dpop: createDpop({ proofs, issuer, clock }),
    onGrant: (what) => count({ act: "grant", what }),
  }).use(deviceEndpoint({ endpoints, auth, callerOf, devices, issuer }));
  return { routes: routes.use(registrationOf(parts, endpoints)), grants: Object.keys(grants) };
}

/** Where programs register themselves, if they may. */
function registrationOf({ config, keys, ...parts }: Parts, { jsonEndpoint }: Endpoints) {
  const { registration: mode } = config.idp;
  if (mode === "off") return new Elysia();
  return jsonEndpoint(registerPath, createRegistration({ ...parts, mode, algorithms: keys.idTokenAlgorithms }));
}

export const endpointForms = [
  tokenPath,
  parPath,
  userinfoPath,
  revokePath,
  introspectPath,
  deviceAuthorizationPath,
] as const;
