import type { OAuthConfig } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import { knownProviderNames, knownProviders, type KnownProvider } from "../core/people/providers.ts";
import type { Log } from "../observe/index.ts";
import { createAppleSecret } from "./exchange/apple.secret.ts";
import { accessTokenOf, authorizationRequest, exchangeCode, idTokenOf, type OAuthClient } from "./exchange/exchange.ts";
import { createIdTokens, type IdTokenClaims, type IdTokenRules } from "./exchange/id.token.ts";
import { openIdProvider } from "./openid/openid.provider.ts";
import type { Outbound } from "./exchange/outbound.ts";
import {
  fromApple,
  fromGitHub,
  fromGoogle,
  fromMicrosoft,
  microsoftIssuer,
  type Profile,
} from "./exchange/profiles.ts";
import type { Provider } from "./provider.ts";

interface ProviderOptions {
  readonly config: OAuthConfig;
  readonly callbackUrl: (provider: string) => string;
  readonly send: Outbound;
  readonly clock: Clock;
  readonly log: Log;
}

type Tools = Pick<ProviderOptions, "send" | "clock">;
type Settings<Name extends KnownProvider> = NonNullable<OAuthConfig[Name]>;
type Tokens = Awaited<ReturnType<typeof exchangeCode>>;
/** Finds out who the person is from the tokens of an exchange. `form` is the whole answer of the provider. */
type ReadProfile = (tokens: Tokens, nonce: string, form: URLSearchParams) => Promise<Profile>;

/** How one of the four differs from the others. */
interface Kind<Name extends KnownProvider> {
  readonly scopes: readonly string[];
  readonly formPost?: boolean;
  readonly hintParameter?: string;
  secret(settings: Settings<Name>, clock: Clock): OAuthClient["clientSecret"];
  /** Whether an authorization response that names this issuer is from the provider. Default: if it is the issuer in the settings. */
  isFrom?(settings: Settings<Name>, issuer: string): boolean;
  reader(settings: Settings<Name>, tools: Tools): ReadProfile;
}

const secretIn =
  ({ clientSecret }: { readonly clientSecret: string }) =>
  () =>
    clientSecret;

function byIdToken(
  { clientId, jwksUrl }: { readonly clientId: string; readonly jwksUrl: string },
  tools: Tools,
  rules: IdTokenRules,
  profileOf: (claims: IdTokenClaims, form: URLSearchParams) => Profile,
): ReadProfile {
  const idTokens = createIdTokens({ clientId, jwksUrl, ...rules, ...tools });
  return async (tokens, nonce, form) => profileOf(await idTokens.verify(idTokenOf(tokens), nonce), form);
}

const kinds: { readonly [Name in KnownProvider]: Kind<Name> } = {
  github: {
    scopes: ["user:email"],
    hintParameter: "login",
    secret: secretIn,
    reader:
      (settings, { send }) =>
      (tokens) =>
        fromGitHub(send, settings, accessTokenOf(tokens)),
  },
  google: {
    scopes: ["openid", "email", "profile"],
    secret: secretIn,
    reader(settings, tools) {
      const { issuer } = settings;
      // Google's own documents allow both spellings.
      const issuerAlias = issuer.replace(/^https?:\/\//, "");
      return byIdToken(settings, tools, { issuerFor: () => issuer, issuerAlias }, fromGoogle);
    },
  },
  microsoft: {
    scopes: ["openid", "email", "profile"],
    secret: secretIn,
    isFrom: (settings, issuer) => microsoftIssuer(settings).isFrom(issuer),
    reader: (settings, tools) => byIdToken(settings, tools, microsoftIssuer(settings), fromMicrosoft),
  },
  apple: {
    scopes: ["openid", "name", "email"],
    formPost: true,
    secret: (settings, clock) => createAppleSecret({ ...settings, audience: settings.issuer, clock }),
    reader: (settings, tools) =>
      byIdToken(settings, tools, { issuerFor: () => settings.issuer }, (claims, form) =>
        fromApple(claims, form.get("user")),
      ),
  },
};

/** Returns the configured providers: the four known ones first, then those found by discovery. */
export function createProviders({ config, callbackUrl, send, clock, log }: ProviderOptions): readonly Provider[] {
  function known<Name extends KnownProvider>(name: Name, settings: OAuthConfig[Name]): Provider | undefined {
    if (settings === undefined) return undefined;
    const { scopes, formPost = false, hintParameter, secret, isFrom, reader }: Kind<Name> = kinds[name];
    const { clientId, issuer, authUrl, tokenUrl } = settings;
    const clientSecret = secret(settings, clock);
    const client = { clientId, clientSecret, callbackUrl: callbackUrl(name), scopes, hintParameter };
    // All four take the secret in the body, and no two agree on its encoding in a header.
    const endpoint = { tokenUrl, authentication: "client_secret_post" } as const;
    const read = reader(settings, { send, clock });
    return {
      name,
      displayName: knownProviderNames[name],
      kind: name,
      formPost,
      authorizationUrl(request) {
        const url = authorizationRequest(client, authUrl, request);
        if (formPost) url.searchParams.set("response_mode", "form_post");
        return url.href;
      },
      // None of the four says that it always names its issuer.
      isFrom: (named) => named === undefined || (isFrom?.(settings, named) ?? named === issuer),
      profile: async (code, { codeVerifier, nonce }, form) =>
        read(await exchangeCode(send, client, endpoint, { code, codeVerifier }), nonce, form),
    };
  }

  const discovered = Object.entries(config.openId).map(([name, settings]) =>
    openIdProvider({ name, settings, plainHttp: config.plainHttp, callbackUrl: callbackUrl(name), send, clock, log }),
  );
  return [...knownProviders.flatMap((name) => known(name, config[name]) ?? []), ...discovered];
}
