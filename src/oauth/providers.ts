import { knownProviderNames, knownProviders, type KnownProvider } from "../core/people/providers.ts";
import type { OAuthConfig } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../observe/index.ts";
import { createAppleSecret } from "./exchange/apple.secret.ts";
import { accessTokenOf, authorizationRequest, exchangeCode, idTokenOf, type OAuthClient } from "./exchange/exchange.ts";
import { createIdTokens, type IdTokenRules } from "./exchange/id.token.ts";
import { openIdProvider } from "./openid/openid.provider.ts";
import type { Outbound } from "./exchange/outbound.ts";
import { fromApple, fromGitHub, fromGoogle, fromMicrosoft, microsoftIssuer } from "./exchange/profiles.ts";
import type { Provider, ProviderKind, Secrets } from "./provider.ts";

interface ProviderOptions {
  readonly config: OAuthConfig;
  readonly callbackUrl: (provider: string) => string;
  readonly send: Outbound;
  readonly clock: Clock;
  readonly log: Log;
}

/** The configuration of one provider. */
type Settings<Name extends Exclude<ProviderKind, "openid">> = NonNullable<OAuthConfig[Name]>;

interface KnownClient extends OAuthClient {
  readonly issuer: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
}

const openIdScopes = ["openid", "email", "profile"];
type Exchanged = Omit<Secrets, "state">;

/** Returns the configured providers: the four known ones first, then those found by discovery. */
export function createProviders({ config, callbackUrl, send, clock, log }: ProviderOptions): readonly Provider[] {
  /** Exchanges a code with the secret in the body: all four take it there, and no two agree on its encoding in a header. */
  const exchange = (client: KnownClient, code: string, { codeVerifier }: Exchanged) =>
    exchangeCode(
      send,
      client,
      { tokenUrl: client.tokenUrl, authentication: "client_secret_post" },
      { code, codeVerifier },
    );

  const openId = (client: KnownClient, jwksUrl: string, rules: IdTokenRules) => {
    const idTokens = createIdTokens({ clientId: client.clientId, jwksUrl, ...rules, send, clock });
    return async (code: string, secrets: Exchanged) =>
      idTokens.verify(idTokenOf(await exchange(client, code, secrets)), secrets.nonce);
  };

  /** What all of the four have in common. */
  const providerOf = (name: KnownProvider, client: KnownClient, profile: Provider["profile"]): Provider => ({
    name,
    displayName: knownProviderNames[name],
    kind: name,
    formPost: false,
    authorizationUrl: (secrets) => authorizationRequest(client, client.authUrl, secrets).href,
    isFrom: isNoOther(client.issuer),
    profile,
  });

  const { github, google, microsoft, apple } = config;
  const known: Readonly<Record<KnownProvider, Provider | undefined>> = {
    github: github && gitHub(github),
    google: google && googleAccounts(google),
    microsoft: microsoft && microsoftAccounts(microsoft),
    apple: apple && appleAccounts(apple),
  };
  const discovered = Object.entries(config.openId).map(([name, settings]) =>
    openIdProvider({ name, settings, plainHttp: config.plainHttp, callbackUrl: callbackUrl(name), send, clock, log }),
  );
  return [...knownProviders.flatMap((name) => known[name] ?? []), ...discovered];

  function gitHub(settings: Settings<"github">): Provider {
    const clientSecret = () => settings.clientSecret;
    const client = { ...settings, callbackUrl: callbackUrl("github"), clientSecret, scopes: ["user:email"] };
    return providerOf("github", client, async (code, secrets) =>
      fromGitHub(send, settings, accessTokenOf(await exchange(client, code, secrets))),
    );
  }

  function googleAccounts(settings: Settings<"google">): Provider {
    const { issuer, jwksUrl } = settings;
    const clientSecret = () => settings.clientSecret;
    const client = { ...settings, callbackUrl: callbackUrl("google"), clientSecret, scopes: openIdScopes };
    // Google's own documents allow both spellings.
    const issuerAlias = issuer.replace(/^https?:\/\//, "");
    const claimsOf = openId(client, jwksUrl, { issuerFor: () => issuer, issuerAlias });
    return providerOf("google", client, async (code, secrets) => fromGoogle(await claimsOf(code, secrets)));
  }

  function microsoftAccounts(settings: Settings<"microsoft">): Provider {
    const clientSecret = () => settings.clientSecret;
    const client = { ...settings, callbackUrl: callbackUrl("microsoft"), clientSecret, scopes: openIdScopes };
    const { issuerFor, isFrom } = microsoftIssuer(settings);
    const claimsOf = openId(client, settings.jwksUrl, { issuerFor });
    return {
      ...providerOf("microsoft", client, async (code, secrets) => fromMicrosoft(await claimsOf(code, secrets))),
      isFrom: (name) => name === undefined || isFrom(name),
    };
  }

  function appleAccounts(settings: Settings<"apple">): Provider {
    const { issuer, jwksUrl } = settings;
    const clientSecret = createAppleSecret({ ...settings, audience: issuer, clock });
    const scopes = ["openid", "name", "email"];
    const client = { ...settings, callbackUrl: callbackUrl("apple"), clientSecret, scopes };
    const claimsOf = openId(client, jwksUrl, { issuerFor: () => issuer });
    const profile: Provider["profile"] = async (code, secrets, form) =>
      fromApple(await claimsOf(code, secrets), form.get("user"));
    return {
      ...providerOf("apple", client, profile),
      formPost: true,
      authorizationUrl(secrets) {
        const url = authorizationRequest(client, client.authUrl, secrets);
        url.searchParams.set("response_mode", "form_post");
        return url.href;
      },
    };
  }
}

/** Returns a check that accepts this issuer or none. None of the four says that it always names its issuer. */
const isNoOther = (issuer: string) => (named: string | undefined) => named === undefined || named === issuer;
