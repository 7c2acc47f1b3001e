import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider, type Configuration } from "oidc-provider";

/** A program that both providers know by the same name and secret. */
export interface RivalClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly kind: "web" | "browser" | "machine" | "third-party";
}

interface RivalOptions {
  readonly clients: readonly RivalClient[];
  readonly redirectUri: string;
}

const person = "ada";
const scopes = "openid profile email offline_access";

const metadataOf = ({ client_id, client_secret, kind }: RivalClient, redirectUri: string) => ({
  client_id,
  ...(client_secret !== "" && { client_secret }),
  token_endpoint_auth_method: kind === "browser" ? ("none" as const) : ("client_secret_basic" as const),
  scope: kind === "machine" ? "reports:read" : scopes,
  grant_types: kind === "machine" ? ["client_credentials"] : ["authorization_code", "refresh_token"],
  response_types: kind === "machine" ? [] : (["code"] as const).slice(),
  redirect_uris: kind === "machine" ? [] : [redirectUri],
});

/** Starts oidc-provider, certified, with what Gatehouse has too, at the same paths. Everybody on its sign-in page is Ada. */
export async function startRival({ clients, redirectUri }: RivalOptions) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const url = `http://127.0.0.1:${address.port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const strangers = new Set(clients.filter(({ kind }) => kind === "third-party").map(({ client_id: id }) => id));
  const configuration: Configuration = {
    clients: clients.map((client) => metadataOf(client, redirectUri)),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "k", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["cookie key of the tests"] },
    scopes: [...scopes.split(" "), "roles", "reports:read"],
    claims: { email: ["email"], profile: ["name"], acr: null },
    acrValues: ["aal1", "aal2"],
    pkce: { required: (_, { tokenEndpointAuthMethod }) => tokenEndpointAuthMethod === "none" },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      claimsParameter: { enabled: true },
      deviceFlow: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: scopes, accessTokenFormat: "jwt" as const }),
      },
    },
    interactions: { url: (_, { uid, prompt }) => `/${prompt.name}/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    loadExistingGrant(context) {
      const { client, session, provider, params } = context.oidc;
      if (client === undefined || session?.accountId === undefined || strangers.has(client.clientId))
        return Promise.resolve(undefined);
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scopes);
      const resources = [params?.["resource"]].flat().filter((resource) => typeof resource === "string");
      for (const resource of resources) grant.addResourceScope(resource, scopes);
      return grant.save().then(() => grant);
    },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, email: "ada@people.test" }) }),
    routes: {
      authorization: "/oauth2/authorize",
      token: "/oauth2/token",
      pushed_authorization_request: "/oauth2/par",
      userinfo: "/oauth2/userinfo",
      introspection: "/oauth2/introspect",
      revocation: "/oauth2/revoke",
    },
  };
  const provider = new Provider(url, configuration);
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/login/") === true)
      void provider.interactionFinished(request, response, { login: { accountId: person } });
    else void answer(request, response);
  });
  return {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
