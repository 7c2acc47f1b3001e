import type {
  Program,
  ProgramFailure,
  ProgramOptions,
  ProgramResult,
  ProgramSignIn,
  ProgramStorage,
  ProgramTokens,
  ProgramUser,
} from "./oauth.types.ts";
import { within } from "./transport/deadline.ts";

export type * from "./oauth.types.ts";

const usualScope = "openid profile email offline_access";
/** An access token that ends sooner is not handed out: its request would still be under way. */
const leastLeftMs = 30_000;

const failure = (code: string, error: string): ProgramFailure => ({ ok: false, code, error });

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
};
const isUser = (value: Fields): value is Fields & ProgramUser => typeof value["sub"] === "string";

function inMemory(): ProgramStorage {
  let kept: ProgramTokens | undefined;
  return {
    load: () => kept,
    save(tokens) {
      kept = tokens;
    },
  };
}

/** Reads what the browser came back with. An answer of another service or for another sign-in counts for nothing (RFC 9207, RFC 9700). */
function readAnswer(
  cameBack: string,
  redirectUri: string,
  state: string,
  issuer: string,
): ProgramResult<{ answer: string }> {
  const strange = failure("invalid_answer", "the browser came back with an answer that is not for this sign-in");
  if (cameBack.split(/[?#]/, 1)[0] !== redirectUri.split("?", 1)[0]) return strange;
  const params = new URLSearchParams(cameBack.slice(cameBack.indexOf("?") + 1));
  if (params.get("state") !== state || params.get("iss") !== issuer) return strange;
  const refused = params.get("error");
  if (refused !== null) return failure(refused, params.get("error_description") ?? refused);
  const answer = params.get("code");
  return answer === null ? strange : { ok: true, answer };
}

/** A program that signs people in with Gatehouse, and holds their tokens. */
export function createProgram(options: ProgramOptions): Program {
  const { clientId, redirectUri, scope = usualScope, storage = inMemory(), timeoutMs = 20_000 } = options;
  const issuer = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? fetch;
  let refreshing: Promise<ProgramResult<{ tokens: ProgramTokens }>> | undefined;

  async function call(path: string, init: RequestInit): Promise<ProgramResult<{ body: Fields }>> {
    try {
      return await within({ timeoutMs }, async ({ signal }) => {
        const response = await send(`${issuer}${path}`, { ...init, signal, credentials: "omit" });
        const text = await response.text();
        const parsed: unknown = text === "" ? {} : JSON.parse(text);
        const body = isFields(parsed) ? parsed : {};
        if (response.ok) return { ok: true as const, body };
        const code = textIn(body, "error") ?? "invalid_response";
        return failure(code, textIn(body, "error_description") ?? `the service answered ${response.status}`);
      });
    } catch {
      return failure("network", "the service could not be reached, or its answer could not be read");
    }
  }

  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    call(path, { method: "POST", body: new URLSearchParams({ ...fields, client_id: clientId }) });

  async function tokensBy(fields: Readonly<Record<string, string>>): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const answered = await post("/oauth2/token", fields);
    if (!answered.ok) return answered;
    const { body } = answered;
    const accessToken = textIn(body, "access_token");
    const seconds = body["expires_in"];
    if (accessToken === undefined || typeof seconds !== "number")
      return failure("invalid_response", "the service answered without a token");
    const [refreshToken, idToken] = [textIn(body, "refresh_token"), textIn(body, "id_token")];
    const tokens = {
      accessToken,
      expiresAt: Date.now() + seconds * 1_000,
      scope: textIn(body, "scope") ?? scope,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(idToken !== undefined && { idToken }),
    };
    await storage.save(tokens);
    return { ok: true, tokens };
  }

  async function refresh(refreshToken: string): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const refreshed = await tokensBy({ grant_type: "refresh_token", refresh_token: refreshToken });
    // What the service has ended is over; where it could not be reached, the tokens stay.
    if (!refreshed.ok && refreshed.code === "invalid_grant") {
      await storage.save(undefined);
      return failure("signed_out", refreshed.error);
    }
    return refreshed;
  }

  async function currentTokens(): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const tokens = await storage.load();
    if (tokens === undefined) return failure("signed_out", "nobody is signed in");
    if (tokens.expiresAt - leastLeftMs > Date.now()) return { ok: true, tokens };
    if (tokens.refreshToken === undefined) return failure("signed_out", "the sign-in has run out");
    refreshing ??= refresh(tokens.refreshToken).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function addressOf({ prompt, loginHint, resources = [] }: ProgramSignIn, state: string, verifier: string) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: "S256",
      ...(prompt !== undefined && { prompt }),
      ...(loginHint !== undefined && { login_hint: loginHint }),
    });
    for (const resource of resources) query.append("resource", resource);
    return `${issuer}/oauth2/authorize?${query.toString()}`;
  }

  return {
    async signIn(asked) {
      const [state, verifier] = [random(), random()];
      const cameBack = await asked.visit(await addressOf(asked, state, verifier));
      if (cameBack === undefined) return failure("cancelled", "the person gave up");
      const read = readAnswer(cameBack, redirectUri, state, issuer);
      if (!read.ok) return read;
      const swap = { grant_type: "authorization_code", code: read.answer, redirect_uri: redirectUri };
      return tokensBy({ ...swap, code_verifier: verifier });
    },

    async getAccessToken() {
      const current = await currentTokens();
      return current.ok ? { ok: true, accessToken: current.tokens.accessToken } : current;
    },

    async getUser() {
      const current = await currentTokens();
      if (!current.ok) return current;
      const headers = { authorization: `Bearer ${current.tokens.accessToken}` };
      const answered = await call("/oauth2/userinfo", { headers });
      if (!answered.ok) return answered;
      return isUser(answered.body)
        ? { ok: true, user: answered.body }
        : failure("invalid_response", "the service answered without a person");
    },

    async signOut() {
      const tokens = await storage.load();
      await storage.save(undefined);
      if (tokens?.refreshToken === undefined) return { ok: true };
      const revoked = await post("/oauth2/revoke", { token: tokens.refreshToken });
      return revoked.ok ? { ok: true } : revoked;
    },
  };
}
