import type { OAuthConfig } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";
import {
  accessTokenOf,
  authorizationRequest,
  exchangeCode,
  idTokenOf,
  type OAuthClient,
} from "../exchange/exchange.ts";
import { ExchangeFailure } from "../exchange/failure.ts";
import { createIdTokens } from "../exchange/id.token.ts";
import type { Outbound } from "../exchange/outbound.ts";
import { fromOpenId } from "../exchange/profiles.ts";
import type { Provider } from "../provider.ts";
import { createKnownMetadata } from "./known.metadata.ts";
import { discover, type Metadata } from "./metadata.ts";
import { askUserinfo } from "./userinfo.ts";

interface OpenIdOptions {
  readonly name: string;
  readonly settings: OAuthConfig["openId"][string];
  readonly plainHttp: boolean;
  readonly callbackUrl: string;
  readonly send: Outbound;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes any OpenID provider, by discovery. The provider is asked nothing before somebody wants to sign in with it. */
export function openIdProvider(options: OpenIdOptions): Provider {
  const { name, settings, plainHttp, callbackUrl, send, clock, log } = options;
  const { issuer, clientId, clientSecret, scopes, displayName } = settings;
  const client: OAuthClient = { clientId, clientSecret: () => clientSecret, callbackUrl, scopes };
  const metadata = createKnownMetadata({
    discover: () => discover({ issuer, send, plainHttp }),
    onStale: (error) =>
      log.warn("oauth provider can't be asked again, what is known of it serves on", {
        provider: name,
        ...(error instanceof ExchangeFailure && { reason: error.reason }),
        error,
      }),
    clock,
  });

  let verifier: { readonly madeFor: string; readonly idTokens: ReturnType<typeof createIdTokens> } | undefined;
  /** Keeps the provider's keys from one sign-in to the next, as long as they are at the same address. */
  function idTokensBy({ jwksUrl, algorithms }: Metadata) {
    const madeFor = JSON.stringify([jwksUrl, algorithms]);
    if (verifier?.madeFor !== madeFor) {
      const issuerFor = () => issuer;
      verifier = { madeFor, idTokens: createIdTokens({ clientId, jwksUrl, algorithms, issuerFor, send, clock }) };
    }
    return verifier.idTokens;
  }

  return {
    name,
    displayName,
    kind: "openid",
    formPost: false,
    authorizationUrl: async (request) => authorizationRequest(client, (await metadata()).authUrl, request).href,
    async isFrom(named) {
      return named === undefined ? !(await metadata()).namesIssuer : named === issuer;
    },
    async profile(code, { codeVerifier, nonce }) {
      const known = await metadata();
      const tokens = await exchangeCode(send, client, known, { code, codeVerifier });
      const claims = await idTokensBy(known).verify(idTokenOf(tokens), nonce);
      const lacksAddress = claims.email === undefined || claims.email === "";
      if (!lacksAddress || known.userinfoUrl === undefined) return fromOpenId(claims);
      return fromOpenId(claims, await askUserinfo(send, known.userinfoUrl, accessTokenOf(tokens), claims.sub));
    },
  };
}
