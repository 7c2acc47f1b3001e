import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client, OAuth2Tokens } from "arctic";
import type { OAuthConfig } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import { createAppleSecret } from "./apple.secret.ts";
import { ExchangeFailure } from "./failure.ts";
import { createIdTokens, type IdTokenRules } from "./id.token.ts";
import { parseJson, type Outbound, type OutboundAnswer } from "./outbound.ts";
import { fromApple, fromGitHub, fromGoogle, fromMicrosoft, microsoftIssuer } from "./profiles.ts";
import type { Provider, ProviderKind, Secrets } from "./provider.ts";

interface ProviderOptions {
  readonly config: OAuthConfig;
  readonly callbackUrl: (provider: string) => string;
  readonly send: Outbound;
  readonly clock: Clock;
}

/** What the configuration says of one provider. */
type Settings<Name extends Exclude<ProviderKind, "openid">> = NonNullable<OAuthConfig[Name]>;

interface Client {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: () => string | Promise<string>;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly scopes: readonly string[];
  readonly formPost?: boolean;
}

/** 256 random bits each, from the generator of the operating system. */
export const newSecrets = (): Secrets => ({
  state: generateState(),
  codeVerifier: generateCodeVerifier(),
  nonce: generateState(),
});

/**
 * The configured providers. Arctic writes the authorization request and reads the tokens. The exchange between the two goes
 * through `send`: Arctic's own requests follow redirects and have neither a deadline nor a limit.
 */
export function createProviders({ config, callbackUrl, send, clock }: ProviderOptions): readonly Provider[] {
  function authorize({ name, clientId, authUrl, scopes, formPost = false }: Client) {
    const arctic = new OAuth2Client(clientId, null, callbackUrl(name));
    return ({ state, codeVerifier, nonce }: Secrets): string => {
      const { S256 } = CodeChallengeMethod;
      const url = arctic.createAuthorizationURLWithPKCE(authUrl, state, S256, codeVerifier, [...scopes]);
      url.searchParams.set("nonce", nonce);
      if (formPost) url.searchParams.set("response_mode", "form_post");
      return url.href;
    };
  }

  /** RFC 6749 §4.1.3. The secret is in the body: all four providers take it there, and no two agree on its encoding in a header. */
  async function exchange(client: Client, code: string, codeVerifier: string): Promise<OAuth2Tokens> {
    const answer = await send(client.tokenUrl, {
      method: "POST",
      form: {
        grant_type: "authorization_code",
        code,
        redirect_uri: callbackUrl(client.name),
        code_verifier: codeVerifier,
        client_id: client.clientId,
        client_secret: await client.clientSecret(),
      },
    });
    return readTokens(answer);
  }

  const openId = (client: Client, jwksUrl: string, rules: IdTokenRules) => {
    const idTokens = createIdTokens({ clientId: client.clientId, jwksUrl, ...rules, send, clock });
    return async (code: string, { codeVerifier, nonce }: Omit<Secrets, "state">) =>
      idTokens.verify(idTokenOf(await exchange(client, code, codeVerifier)), nonce);
  };

  const { github, google, microsoft, apple } = config;
  const providers = [
    github && gitHub(github),
    google && googleAccounts(google),
    microsoft && microsoftAccounts(microsoft),
    apple && appleAccounts(apple),
  ];
  return providers.flatMap((provider) => provider ?? []);

  function gitHub(settings: Settings<"github">): Provider {
    const clientSecret = () => settings.clientSecret;
    const client: Client = { ...settings, name: "github", clientSecret, scopes: ["user:email"] };
    return {
      name: "github",
      displayName: "GitHub",
      kind: "github",
      formPost: false,
      authorizationUrl: authorize(client),
      isFrom: (issuer) => issuer === settings.issuer,
      profile: async (code, { codeVerifier }) =>
        fromGitHub(send, settings, accessTokenOf(await exchange(client, code, codeVerifier))),
    };
  }

  function googleAccounts(settings: Settings<"google">): Provider {
    const { issuer, jwksUrl } = settings;
    const clientSecret = () => settings.clientSecret;
    const client: Client = { ...settings, name: "google", clientSecret, scopes: ["openid", "email", "profile"] };
    // Google's own documents allow both spellings.
    const issuerAlias = issuer.replace(/^https?:\/\//, "");
    const claimsOf = openId(client, jwksUrl, { issuerFor: () => issuer, issuerAlias });
    return {
      name: "google",
      displayName: "Google",
      kind: "google",
      formPost: false,
      authorizationUrl: authorize(client),
      isFrom: (name) => name === issuer,
      profile: async (code, secrets) => fromGoogle(await claimsOf(code, secrets)),
    };
  }

  function microsoftAccounts(settings: Settings<"microsoft">): Provider {
    const clientSecret = () => settings.clientSecret;
    const client: Client = { ...settings, name: "microsoft", clientSecret, scopes: ["openid", "email", "profile"] };
    const { issuerFor, isFrom } = microsoftIssuer(settings);
    const claimsOf = openId(client, settings.jwksUrl, { issuerFor });
    return {
      name: "microsoft",
      displayName: "Microsoft",
      kind: "microsoft",
      formPost: false,
      authorizationUrl: authorize(client),
      isFrom,
      profile: async (code, secrets) => fromMicrosoft(await claimsOf(code, secrets)),
    };
  }

  function appleAccounts(settings: Settings<"apple">): Provider {
    const { issuer, jwksUrl } = settings;
    const clientSecret = createAppleSecret({ ...settings, audience: issuer, clock });
    const scopes = ["openid", "name", "email"];
    const client: Client = { ...settings, name: "apple", clientSecret, scopes, formPost: true };
    const claimsOf = openId(client, jwksUrl, { issuerFor: () => issuer });
    return {
      name: "apple",
      displayName: "Apple",
      kind: "apple",
      formPost: true,
      authorizationUrl: authorize(client),
      isFrom: (name) => name === issuer,
      profile: async (code, secrets, form) => fromApple(await claimsOf(code, secrets), form.get("user")),
    };
  }
}

/** Some providers report an error with status 200 (GitHub), others with 4xx. Either way the code was of no use. */
function readTokens({ status, text }: OutboundAnswer): OAuth2Tokens {
  if (status >= 500) throw new ExchangeFailure("provider_status", { detail: String(status) });
  const data = parseJson(text);
  if (typeof data !== "object" || data === null) throw new ExchangeFailure("provider_response_invalid");
  if ("error" in data) throw new ExchangeFailure("code_rejected");
  if (status !== 200) throw new ExchangeFailure("provider_status", { detail: String(status) });
  return new OAuth2Tokens(data);
}

/** Arctic throws an error of its own where a token is missing or is no text. */
function accessTokenOf(tokens: OAuth2Tokens): string {
  try {
    return tokens.accessToken();
  } catch (cause) {
    throw new ExchangeFailure("access_token_missing", { cause });
  }
}

function idTokenOf(tokens: OAuth2Tokens): string {
  try {
    return tokens.idToken();
  } catch (cause) {
    throw new ExchangeFailure("id_token_missing", { cause });
  }
}
