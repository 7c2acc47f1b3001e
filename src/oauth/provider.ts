import { knownProviders } from "../core/people/providers.ts";
import type { SpeakingOrganization } from "./organization/speaking.ts";
import type { Profile } from "./exchange/profiles.ts";

/** Kinds of providers. `openid` is any other than the known ones, and tells its addresses by discovery. */
export const providerKinds = [...knownProviders, "openid"] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** Secrets that are made at the start of a sign-in and needed again at its end. */
export interface Secrets {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** An authorization request, apart from the client's own part of it. */
export interface AuthorizationRequest extends Secrets {
  /** Whom the provider's page should expect. */
  readonly loginHint?: string | undefined;
}

/** A provider as people choose it. */
export interface ProviderChoice {
  /** The name in routes, rows and metrics: one of the four by its kind, another one as the configuration names it. */
  readonly name: string;
  readonly displayName: string;
  readonly kind: ProviderKind;
}

/** Returns the name of a provider in metrics, where those of organizations are one. */
export const countedAs = ({ name, organization }: Pick<Provider, "name" | "organization">): string =>
  organization === undefined ? name : "organization";

export interface Provider extends ProviderChoice {
  /** The organization whose own provider it is; undefined for one of the operator. */
  readonly organization?: SpeakingOrganization | undefined;
  /** Whether the answer comes as a form that the provider's page posts, in place of a redirect. */
  readonly formPost: boolean;
  /**
   * Returns where to send the browser. Rejects with ExchangeFailure where the provider has to be asked for its addresses and does not tell.
   */
  authorizationUrl(request: AuthorizationRequest): string | Promise<string>;
  /**
   * Returns whether an authorization response that names this issuer, or none, is from this provider (RFC 9207 §2.4). Rejects with
   * ExchangeFailure.
   */
  isFrom(issuer: string | undefined): boolean | Promise<boolean>;
  /** Exchanges the code and finds out who the user is. `form` is the whole answer of the provider. Rejects with ExchangeFailure. */
  profile(code: string, secrets: Omit<Secrets, "state">, form: URLSearchParams): Promise<Profile>;
}

/** Returns the provider that an address names: one of the operator's, or one of an organization. */
export type FindProvider = (name: string) => Promise<Provider | undefined>;
