import { Elysia } from "elysia";
import type { DelegatedRow, ProviderAuth } from "../../auth/index.ts";
import type { AuthenticateClient } from "../client/authentication.ts";
import { provesItself, scopesOf, type Client } from "../client/client.ts";
import { invalidRequest, OAuthError } from "../protocol/errors.ts";
import type { Call, Endpoints } from "../protocol/http.ts";
import type { Pushed } from "../authorize/pushed.ts";
import { destinationOf, NoDestination, readRequest } from "../authorize/request.ts";
import type { CallerOf } from "./caller.ts";
import { personClaims } from "./claims.ts";
import { readDelegation } from "./delegation.ts";
import type { Dpop } from "./dpop.ts";
import type { Grant, Grants } from "./grants.ts";
import type { Introspect } from "./introspection.ts";
import type { Tokens } from "./tokens.ts";

export interface TokenRouteOptions {
  readonly endpoints: Endpoints;
  readonly auth: Pick<ProviderAuth, "clientOf" | "delegations" | "limit">;
  readonly authenticate: AuthenticateClient;
  readonly callerOf: CallerOf;
  readonly grants: Grants;
  readonly pushed: Pushed;
  readonly tokens: Tokens;
  readonly introspect: Introspect;
  readonly dpop: Dpop;
  readonly onGrant: (grant: string, client: Client) => void;
}

export const tokenPath = "/oauth2/token";
export const parPath = "/oauth2/par";
export const userinfoPath = "/oauth2/userinfo";
export const revokePath = "/oauth2/revoke";
export const introspectPath = "/oauth2/introspect";

const open = { methods: "POST", isOpen: true } as const;
const closed = { methods: "POST", isOpen: false } as const;

const isGrant = (grants: Grants, name: string): name is keyof Grants => Object.hasOwn(grants, name);

/** Tokens for codes, for refresh tokens and for clients themselves (RFC 6749 §3.2), and requests that are sent ahead (RFC 9126). */
function tokenRoutes({ endpoints, auth, callerOf, grants, pushed, dpop, onGrant }: TokenRouteOptions) {
  async function boundKey({ request }: Call, client: Client, path: string): Promise<string | undefined> {
    const jkt = await dpop.check(request, path, client);
    if (jkt === undefined && client.settings.dpop_bound_access_tokens)
      throw new OAuthError("invalid_dpop_proof", "This client sends a proof of its key.");
    return jkt;
  }

  return new Elysia()
    .use(
      endpoints.endpoint(tokenPath, open, async (call) => {
        const { params } = call;
        const { client, requester } = await callerOf(call);
        const name = params.get("grant_type");
        if (name === undefined) throw invalidRequest("grant_type is missing.");
        if (!isGrant(grants, name)) throw new OAuthError("unsupported_grant_type", "This grant_type is not known.");
        const grant: Grant = grants[name];
        const answer = await grant({ client, params, requester, jkt: await boundKey(call, client, tokenPath) });
        onGrant(name, client);
        return answer;
      }),
    )
    .use(
      endpoints.endpoint(parPath, open, async (call) => {
        const { params } = call;
        const { client, requester } = await callerOf(call);
        // The server of a program sends for all its people from one address: what one of them does must not hold up the others.
        if (!provesItself(client)) await auth.limit("oauth-request", requester);
        if (params.get("request_uri") !== undefined) throw invalidRequest("request_uri is no part of such a request.");
        const jkt = await dpop.check(call.request, parPath, client);
        const named = params.get("dpop_jkt");
        if (jkt !== undefined && named !== undefined && named !== jkt)
          throw new OAuthError("invalid_dpop_proof", "dpop_jkt names another key than the proof.");
        const entries = params.entries.filter(([name]) => name !== "client_id" && name !== "dpop_jkt");
        try {
          readRequest(destinationOf(client, params), params);
        } catch (error) {
          if (error instanceof NoDestination)
            throw new OAuthError("invalid_request", "redirect_uri is not registered.", { why: "unknown_redirect_uri" });
          throw error;
        }
        const key = jkt ?? named;
        const { uri, expiresInSeconds } = await pushed.keep(client.id, [
          ["client_id", client.id],
          ...entries,
          ...(key === undefined ? [] : [["dpop_jkt", key] as const]),
        ]);
        return Response.json(
          { request_uri: uri, expires_in: expiresInSeconds },
          { status: 201, headers: call.headers },
        );
      }),
    );
}

/** What clients and resource servers ask about tokens (OpenID Connect Core §5.3, RFC 7009, RFC 7662). */
function aboutTokens({ endpoints, auth, authenticate, tokens, introspect, dpop }: TokenRouteOptions) {
  const { delegations, clientOf } = auth;

  function refuseBearer(
    headers: Headers,
    scheme: string,
    error: "invalid_token" | "insufficient_scope",
    description: string,
  ) {
    headers.set("www-authenticate", `${scheme} error="${error}", error_description="${description}"`);
    return new OAuthError(error, description);
  }

  /** Returns the token of a request, by one of the ways of RFC 6750 §2 that leave no trace in a log. */
  function tokenOf({ request, params, headers }: Call): { token: string; scheme: string } {
    const [scheme = "", inHeader] = (request.headers.get("authorization") ?? "").split(" ", 2);
    const inBody = params.get("access_token");
    const isKnown = scheme === "" || ["bearer", "dpop"].includes(scheme.toLowerCase());
    if (inHeader !== undefined && inBody !== undefined) throw invalidRequest("A token is sent in one way.");
    const token = isKnown ? (inHeader ?? inBody) : undefined;
    if (token !== undefined) return { token, scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer" };
    headers.set("www-authenticate", "Bearer");
    throw new OAuthError("invalid_token", "There is no access token.");
  }

  async function userinfo(call: Call) {
    const { token, scheme } = tokenOf(call);
    const { headers, request } = call;
    const bad = () => refuseBearer(headers, scheme, "invalid_token", "The access token is not good.");
    const found = await introspect.read(token);
    if (found === undefined || found.row === undefined) throw bad();
    const { row, claims, client } = found;
    const bound = found.jkt;
    const isDpop = scheme === "DPoP";
    if (isDpop !== (bound !== undefined)) throw bad();
    if (bound !== undefined && (await dpop.check(request, userinfoPath, client, token)) !== bound) throw bad();
    if (!scopesOf(claims.scope).includes("openid"))
      throw refuseBearer(headers, scheme, "insufficient_scope", "The scope openid was not granted.");
    const delegation = { ...readDelegation(row.delegation), scope: claims.scope };
    return { ...personClaims(row, delegation, delegation.userinfo), sub: row.userId };
  }

  async function sessionOf(token: string): Promise<DelegatedRow | undefined> {
    const claims = await tokens.verifyAccess(token);
    const id = claims?.["sid"];
    return typeof id === "string" ? delegations.find(id) : delegations.ofRefreshToken(token);
  }

  return new Elysia()
    .use(endpoints.endpoint(userinfoPath, { methods: "GET, POST", isOpen: true }, userinfo))
    .use(
      endpoints.endpoint(revokePath, open, async ({ request, params }) => {
        const requester = clientOf(request);
        const client = await authenticate(request, params, requester);
        const token = params.get("token");
        if (token === undefined) throw invalidRequest("token is missing.");
        const row = await sessionOf(token);
        // A token of another client is left as it is; the answer is the same (RFC 7009 §2.2).
        if (row?.clientId === client.id)
          await delegations.end(row, "client_ended", { actor: "service", service: client.name, origin: requester });
        return undefined;
      }),
    )
    .use(
      endpoints.endpoint(introspectPath, closed, async ({ request, params }) => {
        const client = await authenticate(request, params, clientOf(request));
        if (client.settings.token_endpoint_auth_method === "none")
          throw new OAuthError("unauthorized_client", "A client that proves nothing learns nothing about tokens.");
        const token = params.get("token");
        if (token === undefined) throw invalidRequest("token is missing.");
        return (await introspect.forClient(token, client)) ?? { active: false };
      }),
    );
}

export const tokenEndpoints = (options: TokenRouteOptions) =>
  new Elysia({ name: "idp/token" }).use(tokenRoutes(options)).use(aboutTokens(options));
