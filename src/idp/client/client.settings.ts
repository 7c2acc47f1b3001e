import { isName } from "../../core/naming.ts";
import { knownScopes } from "../protocol/scopes.ts";
import { scopesOf, type ClientSettings, type ClientType } from "./client.ts";
import { faultsOfFapi } from "./fapi.ts";
import { calledUriComplaint, isLoopback, redirectUriComplaint } from "./redirect.uri.ts";

/** What is asked for when a client is made. What is left out gets the default of its type. */
export type AskedSettings = Partial<ClientSettings> & Pick<ClientSettings, "type">;

const defaultScope = "openid profile email offline_access";
const mostUris = 50;

const defaultMethod: Readonly<Record<ClientType, ClientSettings["token_endpoint_auth_method"]>> = {
  web: "client_secret_basic",
  machine: "client_secret_basic",
  browser: "none",
  native: "none",
};

export const completed = (asked: AskedSettings): ClientSettings => ({
  redirect_uris: [],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
  scope: asked.type === "machine" ? "" : defaultScope,
  role: null,
  third_party: false,
  token_endpoint_auth_method: defaultMethod[asked.type],
  jwks_uri: null,
  id_token_signed_response_alg: asked.fapi === true ? "ES256" : "RS256",
  dpop_bound_access_tokens: asked.fapi === true,
  fapi: false,
  ...asked,
});

const isPublic = ({ token_endpoint_auth_method: method }: ClientSettings): boolean => method === "none";

function faultsOfUris(settings: ClientSettings): readonly string[] {
  const { type, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, jwks_uri } = settings;
  const of = (what: string, uri: string, complaint: string | undefined): readonly string[] =>
    complaint === undefined ? [] : [`the ${what} ${JSON.stringify(uri.slice(0, 200))} ${complaint}`];
  const count = redirect_uris.length + post_logout_redirect_uris.length;
  return [
    ...(type !== "machine" && redirect_uris.length === 0
      ? [`the type ${type} needs a redirect URI, where people are led back to`]
      : []),
    ...(type === "machine" && redirect_uris.length > 0
      ? ["the type machine signs nobody in: it has no redirect URI"]
      : []),
    ...(count > mostUris ? [`there are more than ${mostUris} addresses`] : []),
    ...redirect_uris.flatMap((uri) => of("redirect URI", uri, redirectUriComplaint(uri, type))),
    ...post_logout_redirect_uris.flatMap((uri) => of("post-logout URI", uri, redirectUriComplaint(uri, type))),
    ...(backchannel_logout_uri === null
      ? []
      : of("back-channel logout URI", backchannel_logout_uri, calledUriComplaint(backchannel_logout_uri, true))),
    ...(jwks_uri === null ? [] : of("JWKS URI", jwks_uri, calledUriComplaint(jwks_uri, false))),
  ];
}

/** Says what an operator may have overlooked: it is taken, since a network may be their own. */
export const clientDoubts = ({ redirect_uris }: ClientSettings): readonly string[] =>
  redirect_uris
    .filter((uri) => {
      const url = URL.parse(uri);
      return url !== null && url.protocol === "http:" && !isLoopback(url);
    })
    .map((uri) => `${uri} is not encrypted: whoever is on the way there can read the codes by which people sign in`);

/** Says what a program that signs nobody in asks of people. */
const faultsOfMachine = ({ scope, role, third_party }: ClientSettings): readonly string[] => [
  ...(role === null ? [] : ["the type machine signs nobody in: there is nobody whose role it could ask for"]),
  ...(third_party ? ["the type machine signs nobody in: there is nobody to be asked"] : []),
  ...(scopesOf(scope).includes("openid")
    ? ["the type machine signs nobody in: it has scopes of your own words, and not openid"]
    : []),
];

/** Says what is wrong with the settings of a client, each fault as a sentence that follows the client's name. */
export function clientFaults(settings: ClientSettings): readonly string[] {
  const { type, scope, role, token_endpoint_auth_method: method, jwks_uri } = settings;
  const unknown = type === "machine" ? [] : scopesOf(scope).filter((each) => !knownScopes.has(each));
  const malformed = scopesOf(scope).filter((each) => !/^[\x21\x23-\x5B\x5D-\x7E]{1,64}$/.test(each));
  return [
    ...faultsOfUris(settings),
    ...(type === "machine" ? faultsOfMachine(settings) : []),
    ...unknown.map(
      (each) => `there is no scope ${JSON.stringify(each.slice(0, 64))}: there are ${[...knownScopes].join(", ")}`,
    ),
    ...malformed.map((each) => `${JSON.stringify(each.slice(0, 64))} is no name of a scope (RFC 6749 §3.3)`),
    ...(role !== null && !isName("role", role)
      ? [
          `${JSON.stringify(role.slice(0, 64))} is no name of a role: small letters, digits and hyphens, the first a letter`,
        ]
      : []),
    ...(isPublic(settings) && (type === "web" || type === "machine")
      ? [
          `the type ${type} proves who it is: by a secret, or by private_key_jwt (what can do neither is browser or native)`,
        ]
      : []),
    ...(!isPublic(settings) && type === "browser"
      ? ["the type browser can keep no secret: it proves its codes by PKCE (none)"]
      : []),
    ...(method === "private_key_jwt" && jwks_uri === null ? ["private_key_jwt needs a JWKS URI"] : []),
    ...faultsOfFapi(settings),
  ];
}
