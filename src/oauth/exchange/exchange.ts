import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client, OAuth2Tokens } from "arctic";
import { ExchangeFailure } from "./failure.ts";
import { parseJson, type Outbound, type OutboundAnswer } from "./outbound.ts";
import type { AuthorizationRequest, Secrets } from "../provider.ts";

/** The client that a provider knows this service as. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: () => string | Promise<string>;
  readonly callbackUrl: string;
  readonly scopes: readonly string[];
  /** How the provider calls a hint at who wants to sign in. Default: as OpenID Connect Core §3.1.2.1 does. */
  readonly hintParameter?: string | undefined;
}

/** How a client may prove itself to a token endpoint, by the names of OpenID Connect Core §9. */
export const clientAuthentications = ["client_secret_basic", "client_secret_post"] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

interface TokenEndpoint {
  readonly tokenUrl: string;
  readonly authentication: ClientAuthentication;
}

/** Returns secrets of 256 random bits each, from the generator of the operating system. */
export const newSecrets = (): Secrets => ({
  state: generateState(),
  codeVerifier: generateCodeVerifier(),
  nonce: generateState(),
});

/** Returns the URL of the authorization request with PKCE (RFC 7636) and a nonce (OpenID Connect Core §3.1.2.1). */
export function authorizationRequest(
  { clientId, callbackUrl, scopes, hintParameter = "login_hint" }: OAuthClient,
  authUrl: string,
  { state, codeVerifier, nonce, loginHint }: AuthorizationRequest,
): URL {
  const arctic = new OAuth2Client(clientId, null, callbackUrl);
  const { S256 } = CodeChallengeMethod;
  const url = arctic.createAuthorizationURLWithPKCE(authUrl, state, S256, codeVerifier, [...scopes]);
  url.searchParams.set("nonce", nonce);
  if (loginHint !== undefined) url.searchParams.set(hintParameter, loginHint);
  return url;
}

const formEncoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

/**
 * Exchanges the code (RFC 6749 §4.1.3). The request goes through `send`: Arctic's own requests follow redirects and have neither a deadline
 * nor a limit. Rejects with ExchangeFailure.
 */
export async function exchangeCode(
  send: Outbound,
  client: OAuthClient,
  { tokenUrl, authentication }: TokenEndpoint,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string },
): Promise<OAuth2Tokens> {
  const { clientId, callbackUrl } = client;
  const clientSecret = await client.clientSecret();
  const form = { grant_type: "authorization_code", code, redirect_uri: callbackUrl, code_verifier: codeVerifier };
  const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString("base64");
  const proof =
    authentication === "client_secret_post"
      ? { form: { ...form, client_id: clientId, client_secret: clientSecret } }
      : { form, headers: { authorization: `Basic ${credentials}` } };
  return readTokens(await send(tokenUrl, { method: "POST", ...proof }));
}

/** Errors of RFC 6749 §5.2, which may be repeated. Any other text from a provider is not. */
const tokenErrors: ReadonlySet<unknown> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]);

/**
 * Reads the answer of a token endpoint. Some providers report an error with status 200 (GitHub), others with 4xx: either way the code was
 * of no use.
 */
function readTokens({ status, text }: OutboundAnswer): OAuth2Tokens {
  if (status >= 500) throw new ExchangeFailure("provider_status", { detail: String(status) });
  const data = parseJson(text);
  if (typeof data !== "object" || data === null) throw new ExchangeFailure("provider_response_invalid");
  if ("error" in data)
    throw new ExchangeFailure("code_rejected", tokenErrors.has(data.error) ? { detail: String(data.error) } : {});
  if (status !== 200) throw new ExchangeFailure("provider_status", { detail: String(status) });
  return new OAuth2Tokens(data);
}

/** Reads a token. Arctic throws an error of its own where a token is missing or is no text. */
function tokenBy(read: () => string, reason: "access_token_missing" | "id_token_missing"): string {
  try {
    return read();
  } catch (cause) {
    throw new ExchangeFailure(reason, { cause });
  }
}

export const accessTokenOf = (tokens: OAuth2Tokens): string =>
  tokenBy(() => tokens.accessToken(), "access_token_missing");
export const idTokenOf = (tokens: OAuth2Tokens): string => tokenBy(() => tokens.idToken(), "id_token_missing");
