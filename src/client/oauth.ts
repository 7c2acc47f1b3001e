import type {
  Program,
  ProgramAsking,
  ProgramCrypto,
  ProgramOptions,
  ProgramResult,
  ProgramStorage,
  ProgramTokens,
  ProgramUser,
} from "./oauth.types.ts";
import { createExchange, failure, type Fields } from "./oauth/exchange.ts";
import { createHolding } from "./oauth/holding.ts";
import { createPage } from "./oauth/page.ts";
import { repeatable } from "./transport/fetch.ts";

export type * from "./oauth.types.ts";

const usualScope = "openid profile email offline_access";

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const ownCrypto: ProgramCrypto = {
  getRandomValues: (bytes) => crypto.getRandomValues(bytes),
  sha256: (bytes) => crypto.subtle.digest("SHA-256", bytes),
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

/**
 * Returns the audience that an address belongs to: of those whose path it is below the one with the longest, else the only one of its origin.
 * Where several share an origin, none gets the token of another.
 */
function audienceOf(address: string, audiences: readonly string[]): string | undefined {
  const { origin, pathname } = new URL(address);
  const there = audiences.filter((audience) => new URL(audience).origin === origin);
  const pathOf = (audience: string): string => new URL(audience).pathname.replace(/\/*$/, "/");
  let nearest: string | undefined;
  for (const audience of there.filter((each) => `${pathname}/`.startsWith(pathOf(each))))
    if (nearest === undefined || pathOf(audience).length > pathOf(nearest).length) nearest = audience;
  return nearest ?? (there.length === 1 ? there[0] : undefined);
}

/** A program that signs people in with Gatehouse, and holds their tokens. */
export function createProgram(options: ProgramOptions): Program {
  const {
    clientId,
    redirectUri,
    scope = usualScope,
    storage = inMemory(),
    crypto = ownCrypto,
    timeoutMs = 20_000,
    audiences = [],
  } = options;
  const issuer = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? fetch;
  const name = `gatehouse ${issuer} ${clientId}`;
  const page = createPage(name);
  const { call, post, tokensBy } = createExchange({ issuer, clientId, scope, timeoutMs, send });
  const { keep, currentTokens, tokenFor, drop } = createHolding({ tokensBy, name, storage, timeoutMs });

  const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
  const challengeOf = async (verifier: string): Promise<string> =>
    base64url(new Uint8Array(await crypto.sha256(new TextEncoder().encode(verifier))));

  async function addressOf(
    { prompt, loginHint, resources = audiences }: ProgramAsking,
    state: string,
    verifier: string,
  ) {
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

  async function swapAnswer(
    cameBack: string,
    state: string,
    verifier: string,
  ): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const read = readAnswer(cameBack, redirectUri, state, issuer);
    if (!read.ok) return read;
    const swap = { grant_type: "authorization_code", code: read.answer, redirect_uri: redirectUri };
    const swapped = await tokensBy({ ...swap, code_verifier: verifier });
    if (swapped.ok) await keep(swapped.tokens);
    return swapped;
  }

  /** Sends with the token of an audience, if there is one. */
  async function sendTo(audience: string, href: string, request: RequestInit): Promise<Response> {
    const token = await tokenFor(audience);
    if (!token.ok && token.code !== "signed_out") throw new TypeError(token.error);
    const headers = new Headers(request.headers);
    if (token.ok) headers.set("authorization", `Bearer ${token.accessToken}`);
    const redirect = request.redirect === "manual" ? "manual" : "error";
    return send(href, { credentials: "omit", ...request, headers, redirect });
  }

  return {
    async signIn(asked) {
      const [state, verifier] = [random(), random()];
      const cameBack = await asked.visit(await addressOf(asked, state, verifier));
      return cameBack === undefined
        ? failure("cancelled", "the person gave up")
        : swapAnswer(cameBack, state, verifier);
    },

    async startSignIn(asked = {}) {
      const [state, verifier] = [random(), random()];
      page.leave(await addressOf(asked, state, verifier), { state, verifier }, asked.returnTo);
    },

    async finishSignIn() {
      const arrived = page.arrive();
      if (arrived === undefined) return undefined;
      const { cameBack, departure } = arrived;
      const swapped = await swapAnswer(cameBack, departure.state, departure.verifier);
      return swapped.ok ? { ...swapped, returnTo: departure.returnTo } : swapped;
    },

    getToken: ({ audience }) => tokenFor(audience),

    async fetch(input, init = {}) {
      const { href, origin } = new URL(input instanceof Request ? input.url : input);
      const audience = audienceOf(href, audiences);
      if (audience === undefined) throw new TypeError(`no audience of this program is there, at ${origin}`);
      const request = await repeatable(input, init);
      const first = await sendTo(audience, href, request);
      // Without somebody signed in there is no other token to try.
      if (first.status !== 401 || !drop(audience)) return first;
      return sendTo(audience, href, request);
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
      await keep(undefined);
      if (tokens?.refreshToken === undefined) return { ok: true };
      const revoked = await post("/oauth2/revoke", { token: tokens.refreshToken });
      return revoked.ok ? { ok: true } : revoked;
    },
  };
}
