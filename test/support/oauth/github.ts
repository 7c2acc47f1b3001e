import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { callbackOf, publicUrl, readFields, signInPage, type Account, type Fault, type StandIn } from "./provider.ts";

const clientId = "client-of-github";
const clientSecret = "another client secret of 32 bytes";

/** An address in GitHub's list. */
export interface GitHubEmail {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
  readonly visibility: string | null;
}

export interface GitHubStandIn extends StandIn {
  /** Addresses by subject, in place of the account's only one. */
  readonly emails: Map<string, readonly GitHubEmail[]>;
}

const digest = (verifier: string): string => new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");

/**
 * GitHub as far as signing in goes: no OpenID Connect; the token endpoint reports errors with status 200, and answers as a
 * form to clients that do not ask for JSON; addresses are a list of their own; its API refuses requests without a user agent.
 */
export async function startGitHub(appUrl = publicUrl): Promise<GitHubStandIn> {
  const accounts = new Map<string, Account>();
  const emails = new Map<string, readonly GitHubEmail[]>();
  const faults = new Map<string, Fault>();
  const requests: string[] = [];
  const secrets: string[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly subject: string }>();
  const tokens = new Map<string, string>();

  const server = createServer();
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const origin = `http://127.0.0.1:${address.port}`;

  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(body));
  };

  function authorize(query: URLSearchParams, fields: URLSearchParams | undefined, response: ServerResponse): void {
    const wrong = [
      query.get("client_id") !== clientId,
      query.get("redirect_uri") !== callbackOf("github", appUrl),
      query.get("code_challenge_method") !== "S256",
      query.get("response_type") !== "code",
      query.get("scope") !== "user:email",
    ];
    if (wrong.includes(true)) return json(response, 400, { error: "bad authorization request", wrong });
    if (fields === undefined) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(signInPage());
      return undefined;
    }
    const back = new URL(callbackOf("github", appUrl));
    back.searchParams.set("state", query.get("state") ?? "");
    const account = accounts.get(fields.get("account") ?? "");
    if (account === undefined) {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "The user has denied your application access.");
    } else {
      const code = crypto.randomUUID().replaceAll("-", "");
      secrets.push(code);
      codes.set(code, { challenge: query.get("code_challenge") ?? "", subject: account.subject });
      back.searchParams.set("code", code);
    }
    response.writeHead(302, { location: back.href });
    response.end();
    return undefined;
  }

  function exchange(request: IncomingMessage, fields: URLSearchParams, response: ServerResponse): void {
    const code = codes.get(fields.get("code") ?? "");
    codes.delete(fields.get("code") ?? "");
    const answer = (body: Record<string, string>): void => {
      if (request.headers.accept?.includes("application/json") === true) return json(response, 200, body);
      response.writeHead(200, { "content-type": "application/x-www-form-urlencoded" });
      response.end(new URLSearchParams(body).toString());
      return undefined;
    };
    if (fields.get("client_id") !== clientId || fields.get("client_secret") !== clientSecret)
      return answer({ error: "incorrect_client_credentials" });
    if (code === undefined || code.challenge !== digest(fields.get("code_verifier") ?? ""))
      return answer({ error: "bad_verification_code", error_description: "The code passed is incorrect or expired." });
    const token = `gho_${crypto.randomUUID().replaceAll("-", "")}`;
    secrets.push(token);
    tokens.set(token, code.subject);
    return answer({ access_token: token, token_type: "bearer", scope: "user:email" });
  }

  function api({ pathname, searchParams }: URL, request: IncomingMessage, response: ServerResponse): void {
    if (request.headers["user-agent"] === undefined) return json(response, 403, { message: "Administrative rules" });
    const subject = tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
    const account = [...accounts.values()].find((one) => one.subject === subject);
    if (account === undefined) return json(response, 401, { message: "Bad credentials" });
    const { email = "", emailVerified = true, login = `person-${account.subject}`, name = null } = account;
    if (pathname === "/user/emails") {
      const only = [{ email, primary: true, verified: emailVerified, visibility: null }];
      const all = emails.get(account.subject) ?? (email === "" ? [] : only);
      return json(response, 200, all.slice(0, Math.min(100, Number(searchParams.get("per_page") ?? 30))));
    }
    // The address here is the one on the public profile, which may be any.
    return json(response, 200, {
      id: Number(account.subject),
      login,
      name,
      email: "shown@profile.test",
      avatar_url: `${origin}/avatar.png`,
    });
  }

  server.on("request", (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", origin);
      const { pathname, searchParams } = url;
      requests.push(pathname);
      if ((await faults.get(pathname)?.(request, response)) === true) return;
      const fields = request.method === "POST" ? await readFields(request) : undefined;
      if (pathname === "/login/oauth/authorize") return authorize(searchParams, fields, response);
      if (pathname === "/login/oauth/access_token" && fields !== undefined) return exchange(request, fields, response);
      return api(url, request, response);
    })();
  });

  return {
    name: "github",
    url: origin,
    env: {
      AUTH_OAUTH_GITHUB_CLIENT_ID: clientId,
      AUTH_OAUTH_GITHUB_CLIENT_SECRET: clientSecret,
      AUTH_OAUTH_GITHUB_AUTH_URL: `${origin}/login/oauth/authorize`,
      AUTH_OAUTH_GITHUB_TOKEN_URL: `${origin}/login/oauth/access_token`,
      AUTH_OAUTH_GITHUB_USERINFO_URL: `${origin}/user`,
      AUTH_OAUTH_GITHUB_EMAILS_URL: `${origin}/user/emails`,
      AUTH_OAUTH_GITHUB_ISSUER: `${origin}/login/oauth`,
    },
    clientId,
    accounts,
    emails,
    faults,
    requests,
    secrets,
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.closeAllConnections();
      server.close(() => resolve());
      return promise;
    },
  };
}
