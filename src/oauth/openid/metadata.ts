import { Type, type Static } from "@sinclair/typebox";
import { isPrivateHost } from "../../config/index.ts";
import { clientAuthentications } from "../exchange/exchange.ts";
import { ExchangeFailure } from "../exchange/failure.ts";
import { readJson, type Outbound } from "../exchange/outbound.ts";
import { shaped } from "../exchange/shape.ts";

/** The part of a provider's metadata that is kept. */
export type Metadata = Readonly<Awaited<ReturnType<typeof discover>>>;

interface DiscoveryOptions {
  /** The issuer as the operator wrote it. */
  readonly issuer: string;
  readonly send: Outbound;
  /** Allows endpoints without TLS and at private addresses. True in local and testing alone. */
  readonly plainHttp: boolean;
}

const Endpoint = Type.String({ maxLength: 2_048 });
const Names = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 });
const Document = Type.Object({
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Type.Optional(Endpoint),
  token_endpoint_auth_methods_supported: Type.Optional(Names),
  id_token_signing_alg_values_supported: Type.Optional(Names),
  authorization_response_iss_parameter_supported: Type.Optional(Type.Boolean()),
});

/** Signatures that only the provider can make. With HS256 and the like, everybody who knows the client secret could make them too. */
const asymmetric = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Returns the address of an issuer's metadata (OpenID Connect Discovery §4.1). */
const documentOf = (issuer: string): string => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/**
 * Asks a provider for its metadata (OpenID Connect Discovery). The document must name the very issuer that was asked, so that no
 * provider speaks for another one, and its addresses keep the rules for those in the configuration. Rejects with ExchangeFailure.
 */
export async function discover({ issuer, send, plainHttp }: DiscoveryOptions) {
  const answer = readJson(await send(documentOf(issuer), { method: "GET" }));
  checkIssuer(answer, issuer);
  const document = shaped(Document, answer, "metadata_invalid");
  const endpoint = (name: Endpoints): string => checkedEndpoint(document[name] ?? "", name, plainHttp);
  return {
    authUrl: endpoint("authorization_endpoint"),
    tokenUrl: endpoint("token_endpoint"),
    jwksUrl: endpoint("jwks_uri"),
    userinfoUrl: document.userinfo_endpoint === undefined ? undefined : endpoint("userinfo_endpoint"),
    authentication: authenticationOf(document),
    algorithms: algorithmsOf(document),
    /** Whether each authorization response names the issuer (RFC 9207 §3). */
    namesIssuer: document.authorization_response_iss_parameter_supported === true,
  };
}

type Endpoints = "authorization_endpoint" | "token_endpoint" | "jwks_uri" | "userinfo_endpoint";

/** Throws unless the document names the issuer to the letter (OpenID Connect Discovery §4.3). */
function checkIssuer(document: unknown, issuer: string): void {
  const named: unknown =
    typeof document === "object" && document !== null && "issuer" in document ? document.issuer : undefined;
  if (named === issuer) return;
  const isSlashAway = typeof named === "string" && named.replace(/\/$/, "") === issuer.replace(/\/$/, "");
  throw new ExchangeFailure("metadata_issuer", isSlashAway ? { detail: "it differs by a slash at its end" } : {});
}

function checkedEndpoint(text: string, name: Endpoints, plainHttp: boolean): string {
  const refuse = (why: string) => new ExchangeFailure("metadata_endpoint", { detail: `${name} ${why}` });
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw refuse("is no http or https URL");
  if (`${url.username}${url.password}${url.hash}` !== "") throw refuse("has credentials or a fragment");
  if (plainHttp) return text;
  if (url.protocol !== "https:") throw refuse("is not https");
  if (isPrivateHost(url)) throw refuse("is at a private address");
  return text;
}

/** Prefers Basic, which a provider that names no method takes, and which one that names both should get (RFC 6749 §2.3.1). */
function authenticationOf({ token_endpoint_auth_methods_supported: methods }: Static<typeof Document>) {
  const found = clientAuthentications.find((method) => methods === undefined || methods.includes(method));
  if (found === undefined) throw new ExchangeFailure("metadata_unsupported", { detail: "it takes no client secret" });
  return found;
}

/** Returns the usable algorithms. A provider that names none signs with RS256 (OpenID Connect Core §15.1). */
function algorithmsOf({ id_token_signing_alg_values_supported: named = ["RS256"] }: Static<typeof Document>) {
  const usable = asymmetric.filter((algorithm) => named.includes(algorithm));
  if (usable.length === 0) throw new ExchangeFailure("metadata_unsupported", { detail: "it signs by no known way" });
  return usable;
}
