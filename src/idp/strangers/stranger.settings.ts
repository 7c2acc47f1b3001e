import { Type, type Static } from "@sinclair/typebox";
import { isName } from "../../core/naming.ts";
import { idTokenAlgorithms, KeySet, type ClientSettings, type ClientType } from "../client/client.ts";
import { clientFaults, completed } from "../client/client.settings.ts";
import { isLoopback, isWebAddress, placeOf, redirectUriComplaint } from "../client/redirect.uri.ts";
import { deviceGrant } from "../device/devices.ts";
import { OAuthError } from "../protocol/errors.ts";
import { knownScopes } from "../protocol/scopes.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const texts = (maxItems: number) => Type.Optional(Type.Array(Type.String({ maxLength: 2_048 }), { maxItems }));

/** What a program says of itself (RFC 7591 §2). Fields that are not here are passed over, such as pictures: nobody has checked them. */
export const Metadata = Type.Object({
  client_name: text(2_048),
  redirect_uris: Type.Array(Type.String({ maxLength: 2_048 }), { minItems: 1, maxItems: 20 }),
  post_logout_redirect_uris: texts(20),
  token_endpoint_auth_method: text(64),
  grant_types: texts(16),
  application_type: text(16),
  scope: text(2_048),
  jwks_uri: text(2_048),
  jwks: Type.Optional(KeySet),
  id_token_signed_response_alg: text(16),
  dpop_bound_access_tokens: Type.Optional(Type.Boolean()),
});
export type Metadata = Static<typeof Metadata>;

export const invalidMetadata = (description: string): OAuthError =>
  new OAuthError("invalid_client_metadata", description);
const invalidRedirect = (description: string): OAuthError => new OAuthError("invalid_redirect_uri", description);

/** Finds what kind of program it is: one that its own addresses show to be on a device, a page without a server, or a server. */
function typeOf(
  { redirect_uris: uris, grant_types: grants = [], application_type }: Metadata,
  method: string,
): ClientType {
  const isOnDevice = uris.some((uri) => !uri.startsWith("https:")) || grants.includes(deviceGrant);
  if (isOnDevice || application_type === "native") return "native";
  return method === "none" ? "browser" : "web";
}

function requireLeads(uris: readonly string[], type: ClientType): void {
  for (const uri of uris) {
    const complaint = redirectUriComplaint(uri, type);
    if (complaint !== undefined) throw invalidRedirect(`A redirect URI ${complaint}.`);
    if (isWebAddress(uri) && !uri.startsWith("https:") && !isLoopback(new URL(uri)))
      throw invalidRedirect("A redirect URI is https, except at a loopback address.");
  }
}

/** A name that is shown as a claim: where it could deceive by what can't be seen, the place stands in for it. */
const nameOf = ({ client_name: name = "" }: Metadata, place: string): string => {
  const trimmed = name.trim().slice(0, 64).trim();
  return isName("client", trimmed) ? trimmed : place.slice(0, 64);
};

interface Rules {
  readonly methods: readonly ClientSettings["token_endpoint_auth_method"][];
  readonly defaultMethod: ClientSettings["token_endpoint_auth_method"];
  /** By which ID tokens can be signed. */
  readonly algorithms: readonly string[];
  /** What the program is called where its name can't be shown. */
  readonly place?: string;
}

/** Returns the name and the settings of a program that describes itself. Throws `invalid_redirect_uri` and `invalid_client_metadata`. */
export function strangerOf(metadata: Metadata, { methods, defaultMethod, algorithms: signed, place }: Rules) {
  const { token_endpoint_auth_method: asked = defaultMethod, redirect_uris, scope } = metadata;
  const method = methods.find((each) => each === asked);
  if (method === undefined) throw invalidMetadata("This token_endpoint_auth_method is not taken.");
  const type = typeOf(metadata, method);
  const { post_logout_redirect_uris = [], id_token_signed_response_alg: alg = "RS256" } = metadata;
  requireLeads([...redirect_uris, ...post_logout_redirect_uris], type);
  const algorithm = idTokenAlgorithms.find((each) => each === alg);
  if (algorithm === undefined || !signed.includes(algorithm))
    throw invalidMetadata("This id_token_signed_response_alg is not supported.");
  // A scope that nobody here knows is passed over, as in a request.
  const scopes = scope === undefined ? [] : scope.split(" ").filter((each) => knownScopes.has(each));
  const settings = completed({
    type,
    redirect_uris,
    post_logout_redirect_uris,
    third_party: true,
    token_endpoint_auth_method: method,
    id_token_signed_response_alg: algorithm,
    dpop_bound_access_tokens: metadata.dpop_bound_access_tokens ?? false,
    ...(scopes.length > 0 && { scope: [...new Set(scopes)].join(" ") }),
    jwks_uri: metadata.jwks_uri ?? null,
  });
  const isKeyed = settings.jwks_uri !== null || metadata.jwks !== undefined;
  if (settings.jwks_uri !== null && metadata.jwks !== undefined) throw invalidMetadata("Keys come in one way.");
  if (method === "private_key_jwt" && !isKeyed) throw invalidMetadata("private_key_jwt needs keys.");
  // With keys of its own a program needs no address of them, which the rules of operators ask for.
  const judged = metadata.jwks === undefined ? settings : { ...settings, jwks_uri: "https://keys.invalid/" };
  const [fault] = clientFaults(judged);
  if (fault !== undefined) throw invalidMetadata(`${fault}.`);
  return { name: nameOf(metadata, place ?? placeOf(redirect_uris[0] ?? "")), settings, jwks: metadata.jwks };
}
