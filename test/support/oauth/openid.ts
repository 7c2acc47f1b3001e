import { createServer } from "node:http";
import { CompactSign, exportJWK, exportPKCS8, generateKeyPair, jwtVerify, type JWTPayload } from "jose";
import { Provider, type Configuration } from "oidc-provider";
import {
  callbackOf,
  publicUrl,
  readFields,
  signInPage,
  type Account,
  type Fault,
  type ProviderName,
  type StandIn,
} from "./provider.ts";

type OpenIdName = Exclude<ProviderName, "github">;

/** Changes an ID token before it is signed. Returned claims are signed in its place; returned text is sent as it is. */
export type Tamper = (claims: JWTPayload) => JWTPayload | string | Promise<JWTPayload | string>;

export interface OpenIdStandIn extends StandIn {
  /** Changes every ID token from now on; undefined stops that. */
  tamper(change: Tamper | undefined): void;
  /** Signs as the provider would, or with another `key` and `header`. */
  sign(claims: JWTPayload, header?: Readonly<Record<string, string | undefined>>, key?: CryptoKey): Promise<string>;
  /** Further addresses to which it sends people back. */
  readonly redirects: Set<string>;
  /** Client secrets that the provider was sent. */
  readonly shownSecrets: string[];
}

const clientSecret = "a client secret of 32 bytes or more";
const tenantOfAda = "11111111-2222-4333-8444-555555555555";
const scopes = "openid email profile name";

/** Peculiarities of each provider's tokens. */
const quirks: Readonly<Record<OpenIdName, (claims: JWTPayload, account: Account, origin: string) => JWTPayload>> = {
  google: (claims, { email, emailVerified, name }) => ({
    ...claims,
    azp: String(claims.aud),
    ...(email === undefined ? {} : { email, email_verified: emailVerified ?? true }),
    name,
  }),
  // Each tenant is an issuer; tokens are dated back by five minutes; an address is only the tenant's claim.
  microsoft: (claims, { email, emailVerified, name, tenant = tenantOfAda }, origin) => ({
    ...claims,
    iss: `${origin}/${tenant}/v2.0`,
    tid: tenant,
    ver: "2.0",
    iat: (claims.iat ?? 0) - 300,
    nbf: (claims.iat ?? 0) - 300,
    email,
    name,
    preferred_username: email,
    ...(emailVerified === true ? { xms_edov: true } : {}),
  }),
  // Booleans are text, and the name is not in the token.
  apple: (claims, { email, emailVerified }) => ({
    ...claims,
    ...(email === undefined ? {} : { email, email_verified: String(emailVerified ?? true) }),
    nonce_supported: true,
  }),
  "acme-login": (claims, account) => ({ ...claims, ...claimsOf(account) }),
};

/** Claims as any OpenID provider gives them, in ID tokens or at its userinfo endpoint. */
const claimsOf = ({ email, emailVerified = true, name, login }: Account) => ({
  ...(email === undefined ? {} : { email, email_verified: emailVerified }),
  name,
  preferred_username: login,
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the account whose session a request to the provider belongs to. */
function accountOf(context: unknown): string {
  const session = isRecord(context) ? context["session"] : undefined;
  return isRecord(session) && typeof session["accountId"] === "string" ? session["accountId"] : "";
}

/** Starts a real OpenID provider with the peculiarities of one of the three, or without. It demands and checks PKCE. */
export async function startOpenId(name: OpenIdName, appUrl = publicUrl): Promise<OpenIdStandIn> {
  const accounts = new Map<string, Account>();
  const faults = new Map<string, Fault>();
  const requests: string[] = [];
  const secrets: string[] = [];
  const shownSecrets: string[] = [];
  const namedOnce = new Set<string>();
  const redirects = new Set<string>();
  let change: Tamper | undefined;

  const keys = await generateKeyPair("RS256", { extractable: true });
  const developer = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(keys.privateKey)), kid: "provider-key", alg: "RS256", use: "sig" };

  const server = createServer();
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const clientId = `client-of-${name}`;
  const isDiscovered = name === "acme-login";

  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callbackOf(name, appUrl)],
        token_endpoint_auth_method: isDiscovered ? "client_secret_basic" : "client_secret_post",
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ["cookie key of the tests"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    // The provider's own session is what each browser remembers; consent is given once and for all.
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scopes);
      await grant.save();
      return grant;
    },
    findAccount(_, id) {
      const account = [...accounts.values()].find(({ subject }) => subject === id);
      return { accountId: id, claims: () => ({ sub: id, ...(isDiscovered && account && claimsOf(account)) }) };
    },
    claims: { email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
  };
  // Microsoft and Google do not send `iss` with the answer; other providers name themselves by it (RFC 9207).
  const issuer = name === "microsoft" ? `${origin}/${tenantOfAda}/v2.0` : origin;
  const provider = new Provider(issuer, configuration);
  provider.proxy = false;
  const { redirectUriAllowed } = provider.Client.prototype;
  provider.Client.prototype.redirectUriAllowed = function allowed(uri: string) {
    return redirects.has(uri) || redirectUriAllowed.call(this, uri);
  };

  // Signs any claims: a library's JWT class would refuse those that the tests want refused.
  const sign = (claims: JWTPayload, header = {}, key = keys.privateKey): Promise<string> =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: "RS256", kid: "provider-key", ...header })
      .sign(key);

  async function reissue(idToken: string): Promise<string> {
    const claims: JWTPayload = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
    const account = [...accounts.values()].find(({ subject }) => subject === claims.sub);
    if (account === undefined) throw new Error("no such account");
    const own = quirks[name](claims, account, origin);
    const changed = change === undefined ? own : await change(own);
    return typeof changed === "string" ? changed : sign(changed);
  }

  /** Whether Apple's kind of client secret is valid: a JWT signed by the developer's key. */
  async function checkDeveloper(secret: string): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(secret, developer.publicKey, {
        algorithms: ["ES256"],
        audience: origin,
        issuer: "TEAM123456",
        subject: clientId,
        requiredClaims: ["iat", "exp"],
      });
      return (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000;
    } catch {
      return false;
    }
  }

  provider.use(async (context, next) => {
    if (context.path === "/token") {
      const fields = await readFields(context.req);
      const shown = fields.get("client_secret") ?? "";
      shownSecrets.push(shown);
      if (name === "apple") fields.set("client_secret", (await checkDeveloper(shown)) ? clientSecret : "refused");
      Reflect.set(context.req, "body", fields.toString());
    }
    await next();
    const { body } = context;
    if (context.path === "/token" && isRecord(body) && typeof body["id_token"] === "string") {
      const idToken = await reissue(body["id_token"]);
      context.body = { ...body, id_token: idToken };
      secrets.push(idToken, String(body["access_token"]));
    }
    // Apple sends the name with the first sign-in, and never again.
    if (name === "apple" && typeof body === "string" && body.includes('name="code"')) {
      const subject = accountOf(context.oidc);
      const account = [...accounts.values()].find((one) => one.subject === subject);
      if (account?.name !== undefined && !namedOnce.has(subject)) {
        namedOnce.add(subject);
        const [firstName, lastName = ""] = account.name.split(" ");
        const user = JSON.stringify({ name: { firstName, lastName }, email: account.email });
        context.body = body.replace(
          '<input type="hidden" name="code"',
          `<input type="hidden" name="user" value="${Bun.escapeHTML(user)}"/><input type="hidden" name="code"`,
        );
      }
    }
  });
  const handle = provider.callback();

  server.on("request", (request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? "/", origin);
      requests.push(pathname);
      if ((await faults.get(pathname)?.(request, response)) === true) return;
      if (!pathname.startsWith("/sign-in/")) return handle(request, response);
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "text/html" });
        return void response.end(signInPage());
      }
      const account = accounts.get((await readFields(request)).get("account") ?? "");
      const result = account === undefined ? { error: "access_denied" } : { login: { accountId: account.subject } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    })();
  });

  const prefix = isDiscovered ? "AUTH_OIDC_ACME_LOGIN_" : `AUTH_OAUTH_${name.toUpperCase()}_`;
  const credentials =
    name === "apple"
      ? {
          TEAM_ID: "TEAM123456",
          KEY_ID: "KEY1234567",
          // The key is on one line, as in an environment file.
          PRIVATE_KEY: (await exportPKCS8(developer.privateKey)).trim().replaceAll("\n", "\\n"),
        }
      : { CLIENT_SECRET: clientSecret };
  const addresses = { AUTH_URL: `${origin}/auth`, TOKEN_URL: `${origin}/token`, JWKS_URL: `${origin}/jwks` };
  const settings = {
    ...credentials,
    CLIENT_ID: clientId,
    ISSUER: name === "microsoft" ? `${origin}/{tenantid}/v2.0` : origin,
    ...(isDiscovered ? {} : addresses),
  };

  return {
    name,
    url: origin,
    env: Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${prefix}${key}`, value])),
    clientId,
    accounts,
    faults,
    requests,
    secrets,
    shownSecrets,
    redirects,
    sign,
    tamper(next) {
      change = next;
    },
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.closeAllConnections();
      server.close(() => resolve());
      return promise;
    },
  };
}
