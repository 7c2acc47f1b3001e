import { generateKeyPairSync } from "node:crypto";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { noteSecret } from "../../support/seen.ts";
import { signingPair } from "../../support/signing.pair.ts";
import type { Target } from "../../support/target.ts";

/** The issuer: programs know the service by this address, wherever it listens. */
export const issuer = "https://id.example.test";
export const redirectUri = "https://shop.example.test/callback";

const access = signingPair("EdDSA");
const rsaPem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });

/** Settings by which other programs sign people in, wherever the service is. */
export const providerOn = {
  IDP_ENABLED: "true",
  API_JWT_PRIVATE_KEY: access.privatePem,
  IDP_RSA_PRIVATE_KEY: rsaPem,
} as const;
/** Settings by which other programs sign people in at the issuer. */
export const idpEnvironment = { APP_URL: issuer, ...providerOn } as const;

export interface Registered {
  readonly client_id: string;
  readonly client_secret: string;
}

const isRegistered = (value: unknown): value is Registered =>
  typeof value === "object" && value !== null && "client_id" in value;

/** Returns what a form or a query is made of. */
export const form = (fields: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  ).toString();

const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher("sha256").update(verifier).digest().toString("base64url");
export const verifier = "a-verifier-of-this-test-run-0123456789-0123456789";

/** Registers programs with a target as an operator does, and plays them. */
export function idpKit({ folder, env, url }: Target) {
  const run = (...args: string[]): Promise<CommandResult> => runGatehouse(args, { cwd: folder, env });

  /** Makes a program, with the address of the shop unless others are named. */
  async function register(name: string, ...flags: string[]): Promise<Registered> {
    const own = flags.includes("--type") ? flags : ["--type", "web", ...flags];
    const isMachine = own[own.indexOf("--type") + 1] === "machine";
    const all = own.includes("--redirect-uri") || isMachine ? own : [...own, "--redirect-uri", redirectUri];
    const { code, stdout, stderr } = await run("client:create", name, ...all, "--json");
    if (code !== 0) throw new Error(stderr);
    const made: unknown = JSON.parse(stdout);
    if (!isRegistered(made)) throw new Error("no client was made");
    const secret = made.client_secret ?? "";
    if (secret !== "") noteSecret(url, secret);
    return { client_id: made.client_id, client_secret: secret };
  }

  const basic = ({ client_id, client_secret }: Registered): string =>
    `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString("base64")}`;

  /** Sends a form to an endpoint for programs. */
  const call = (
    path: string,
    fields: Readonly<Record<string, string | undefined>>,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    createClient(url).request("POST", path, undefined, {
      body: form(fields),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  /** Returns a request for a sign-in as the program makes it. */
  const requestOf = (client: Registered, fields: Readonly<Record<string, string | undefined>> = {}) => ({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "openid profile email offline_access",
    state: "state-of-the-test",
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    ...fields,
  });

  const authorize = (browser: Client, client: Registered, fields: Readonly<Record<string, string | undefined>> = {}) =>
    browser.get(`/oauth2/authorize?${form(requestOf(client, fields))}`);

  /** Returns what an answer says to the program, at the address that it leads to. */
  function told(answer: Answer, uri = redirectUri): URLSearchParams {
    const location = answer.headers.get("location") ?? "";
    if (answer.status !== 303 || !location.startsWith(`${uri}?`))
      throw new Error(`it leads nowhere: ${answer.status} ${location} ${answer.text.slice(0, 200)}`);
    const params = new URLSearchParams(location.slice(uri.length + 1));
    noteSecret(url, params.get("code"));
    return params;
  }

  const tokens = (client: Registered, fields: Readonly<Record<string, string | undefined>>) =>
    call("/oauth2/token", fields, client.client_secret === "" ? {} : { authorization: basic(client) });

  const swap = (client: Registered, code: string | null, fields: Readonly<Record<string, string | undefined>> = {}) =>
    tokens(client, {
      grant_type: "authorization_code",
      code: code ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(client.client_secret === "" && { client_id: client.client_id }),
      ...fields,
    });

  return {
    run,
    register,
    basic,
    call,
    requestOf,
    authorize,
    told,
    tokens,
    swap,

    /** Signs a browser's person in to a program. Resolves to the answer with the tokens. */
    async signIn(
      browser: Client,
      client: Registered,
      fields: Readonly<Record<string, string | undefined>> = {},
    ): Promise<Answer> {
      const answered = await swap(client, told(await authorize(browser, client, fields)).get("code"));
      if (answered.status !== 200) throw new Error(`no tokens: ${answered.status} ${answered.text}`);
      return answered;
    },

    refresh: (client: Registered, token: string, fields: Readonly<Record<string, string | undefined>> = {}) =>
      tokens(client, {
        grant_type: "refresh_token",
        refresh_token: token,
        ...(client.client_secret === "" && { client_id: client.client_id }),
        ...fields,
      }),

    userinfo: (token: string) =>
      createClient(url).get("/oauth2/userinfo", { headers: { authorization: `Bearer ${token}` } }),

    async isActive(client: Registered, token: string): Promise<boolean> {
      const answer = await call("/oauth2/introspect", { token }, { authorization: basic(client) });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.at("active") === true;
    },

    /** Leads the addresses of the issuer to where the target listens, for libraries. */
    fetch: (input: string | URL | Request, init?: object): Promise<Response> => {
      const asked = input instanceof Request ? input.url : String(input);
      return fetch(asked.replace(issuer, url), { redirect: "manual", ...init });
    },
  };
}
