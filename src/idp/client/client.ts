import { Type, type Static } from "@sinclair/typebox";
import type { Client as Requester } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";

export const clientTypes = ["web", "browser", "native", "machine"] as const;
export type ClientType = (typeof clientTypes)[number];
export const authMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] as const;
export const idTokenAlgorithms = ["RS256", "ES256", "EdDSA"] as const;

const literals = <const Name extends string>(names: readonly Name[]) =>
  Type.Union(names.map((name) => Type.Literal(name)));

/** What a client may do, with the names of RFC 7591 and OpenID Connect Registration where these have one. */
export const ClientSettings = Type.Object({
  type: literals(clientTypes),
  redirect_uris: Type.Array(Type.String()),
  post_logout_redirect_uris: Type.Array(Type.String()),
  backchannel_logout_uri: Type.Union([Type.String(), Type.Null()]),
  scope: Type.String(),
  /** Who lacks this role does not get in. */
  role: Type.Union([Type.String(), Type.Null()]),
  /** Whether people are asked before it sees anything of them. */
  third_party: Type.Boolean(),
  token_endpoint_auth_method: literals(authMethods),
  jwks_uri: Type.Union([Type.String(), Type.Null()]),
  id_token_signed_response_alg: literals(idTokenAlgorithms),
  dpop_bound_access_tokens: Type.Boolean(),
  /** Whether the client keeps to the security profile of FAPI 2.0: requests sent ahead with PKCE, keys in place of secrets, tokens that are bound to one. */
  fapi: Type.Boolean(),
});
export type ClientSettings = Readonly<Static<typeof ClientSettings>>;

/** Public keys, each with more fields than its type (RFC 7517 §5). */
export const KeySet = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }), { maxItems: 100 }) });
export type KeySet = Static<typeof KeySet>;

/** How a client came to be: by an operator, by registering itself, or by a document that its id leads to. */
export type ClientOrigin = "operator" | "registration" | "document";

/** The address that a request comes from: who has addresses of strangers read takes turns with others by it. */
export type Asker = Pick<Requester, "bucket" | "areas">;

/** Returns the client with an id, wherever it is known from. */
export type FindClient = (id: string, asker?: Asker) => Promise<Client | undefined>;

/** A program that signs people in here, or calls for itself. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly origin: ClientOrigin;
  readonly settings: ClientSettings;
  readonly secretHash: string | null;
  /** The public keys of a client whose document has them in it. */
  readonly jwks?: KeySet | undefined;
  /** Until when what a document has said of it counts. */
  readonly freshUntil?: Millis | null;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  readonly lastUsedAt: Millis | null;
}

/** Whether a client can keep no secret, and proves by PKCE alone that a code is its own. */
export const keepsNoSecret = ({ origin, settings: { type, token_endpoint_auth_method: method } }: Client): boolean =>
  type === "browser" || type === "native" || origin === "document" || method === "none";

/** Whether a client has to show by PKCE that a code is its own, whatever else it proves (FAPI 2.0 Security Profile §5.3.2.2). */
export const needsPkce = (client: Client): boolean => client.settings.fapi || keepsNoSecret(client);

/** Whether people are asked before the client sees anything of them. */
export const asksConsent = ({ origin, settings }: Client): boolean => origin !== "operator" || settings.third_party;

/** Whether a call is proven to come from a program that an operator knows. A secret that anybody may register proves nothing. */
export const provesItself = ({ origin, settings }: Client): boolean =>
  origin === "operator" && settings.token_endpoint_auth_method !== "none";

export const scopesOf = (scope: string): readonly string[] => scope.split(" ").filter((each) => each !== "");

/** Whether a person has the role that a client asks for. `roles` are those of the person, in their stored form. */
export const letsIn = (
  { settings: { role } }: Pick<Client, "settings">,
  { roles }: { readonly roles: string },
): boolean => role === null || scopesOf(roles).includes(role);
