import { asksConsent, needsPkce, scopesOf, type Client } from "../client/client.ts";
import { isRegistered, isResource, isWebAddress, leadsToSeveral } from "../client/redirect.uri.ts";
import { invalidRequest, OAuthError } from "../protocol/errors.ts";
import { requireOnce, type Params } from "../protocol/params.ts";
import { knownScopes } from "../protocol/scopes.ts";
import { scopeWith } from "../token/claims.ts";
import type { Delegation } from "../token/delegation.ts";
import type { ConsentRow } from "./consent.repository.ts";
import { covers, type Disclosed } from "./consents.ts";

const prompts = ["none", "login", "consent", "select_account"] as const;
type Prompt = (typeof prompts)[number];

/** Where an answer goes, known before anything else of a request is believed. */
export interface Destination {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly mode: "query" | "form_post";
  /** The languages that the client's page is read in (OpenID Connect Core §3.1.2.1). */
  readonly locales: string | undefined;
}

/** A request that is sound in itself. What it asks of the person is decided by who is signed in. */
export interface AuthorizationRequest extends Destination {
  readonly scope: string;
  /** What people are asked about; its scopes cover the claims that are asked for by name. */
  readonly disclosed: Disclosed;
  readonly prompts: readonly Prompt[];
  readonly maxAgeSeconds: number | undefined;
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly hint: string | undefined;
  readonly loginHint: string | undefined;
  readonly acr: readonly string[];
  readonly isLevelEssential: boolean;
  readonly delegation: Delegation;
  /** Whether what is granted outlives the session of the browser. */
  readonly isStanding: boolean;
}

const faultOf = {
  unknown_client: "No client has this client_id.",
  unknown_redirect_uri: "redirect_uri is not registered.",
  not_a_sign_in: "A machine client signs nobody in.",
} as const;

/** Why nobody can be led back to the client: its address can't be trusted, so that the person gets a page. */
export class NoDestination extends Error {
  readonly reason: keyof typeof faultOf;
  /** The client, where it is known. */
  readonly client: Client | undefined;
  /** What the request named and is not registered, for operators. */
  readonly asked: string | undefined;
  constructor(
    reason: NoDestination["reason"],
    { client, asked }: { client?: Client; asked?: string | undefined } = {},
  ) {
    super(faultOf[reason]);
    this.reason = reason;
    this.client = client;
    this.asked = asked;
  }
}

/** Finds where answers go. Throws `NoDestination`. */
export function destinationOf(client: Client | undefined, params: Params): Destination {
  if (client === undefined) throw new NoDestination("unknown_client", { asked: params.get("client_id") });
  if (client.settings.type === "machine") throw new NoDestination("not_a_sign_in", { client });
  const redirectUri = params.get("redirect_uri");
  if (redirectUri === undefined || !isRegistered(redirectUri, client))
    throw new NoDestination("unknown_redirect_uri", { client, asked: redirectUri });
  // No form can be sent to an app on the device.
  const mode = params.get("response_mode") === "form_post" && isWebAddress(redirectUri) ? "form_post" : "query";
  return { client, redirectUri, state: params.get("state"), mode, locales: params.get("ui_locales") };
}

function requireForm(params: Params, { mode: answered }: Destination): void {
  requireOnce(params);
  const type = params.get("response_type");
  if (type === undefined) throw invalidRequest("response_type is missing.");
  if (type !== "code") throw new OAuthError("unsupported_response_type", "The one response_type is code.");
  const mode = params.get("response_mode") ?? "query";
  if (mode !== "query" && mode !== "form_post") throw invalidRequest("response_mode is query or form_post.");
  if (mode !== answered) throw invalidRequest("response_mode is query where redirect_uri is no web address.");
  if (params.get("request") !== undefined)
    throw new OAuthError("request_not_supported", "Request objects are not supported.");
  if (params.get("registration") !== undefined)
    throw new OAuthError("registration_not_supported", "Clients are not registered by a request.");
}

function challengeOf(client: Client, params: Params): string | undefined {
  const [challenge, method] = [params.get("code_challenge"), params.get("code_challenge_method")];
  if (challenge === undefined) {
    if (method !== undefined || needsPkce(client)) throw invalidRequest("code_challenge is missing (RFC 7636).");
    return undefined;
  }
  if (method !== "S256") throw invalidRequest("code_challenge_method is S256.");
  if (!/^[\w-]{43}$/.test(challenge)) throw invalidRequest("code_challenge is no S256 challenge.");
  return challenge;
}

/** Returns what a client may have of the scopes that it asks for. Throws `invalid_scope`. */
export function scopeOf(client: Client, asked: string | undefined): string {
  const allowed = scopesOf(client.settings.scope);
  const wanted = new Set(scopesOf(asked ?? client.settings.scope));
  // A scope that nobody here knows is passed over (OpenID Connect Core §3.1.2.1); one that the client may not have is not.
  const refused = [...wanted].filter((scope) => knownScopes.has(scope) && !allowed.includes(scope));
  const granted = [...wanted].filter((scope) => allowed.includes(scope));
  if (refused.length > 0 || granted.length === 0)
    throw new OAuthError("invalid_scope", "The client may not have this scope.");
  return granted.join(" ");
}

export function resourcesOf({ resources }: Params): readonly string[] {
  if (!resources.every(isResource))
    throw new OAuthError("invalid_target", "resource is an absolute address without a fragment (RFC 8707).");
  return [...new Set(resources)];
}

function promptsOf(params: Params): readonly Prompt[] {
  const asked = scopesOf(params.get("prompt") ?? "");
  const known = prompts.filter((prompt) => asked.includes(prompt));
  if (asked.some((each) => !prompts.some((prompt) => prompt === each))) throw invalidRequest("prompt is not known.");
  if (known.includes("none") && known.length > 1) throw invalidRequest("prompt is none, or something else.");
  return known;
}

function maxAgeOf(params: Params): number | undefined {
  const text = params.get("max_age");
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw invalidRequest("max_age is a number of seconds.");
  return Number(text);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function claimsOf(params: Params) {
  const text = params.get("claims");
  if (text === undefined) return {};
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    // It is refused below, as everything is that is no object.
  }
  if (!isRecord(claims) || text.length > 2_048) throw invalidRequest("claims is an object of JSON.");
  return Object.fromEntries(
    (["id_token", "userinfo"] as const).flatMap((part) => {
      const wanted = claims[part];
      if (wanted === undefined || wanted === null) return [];
      if (!isRecord(wanted)) throw invalidRequest("claims has objects in id_token and userinfo.");
      return [[part, wanted]];
    }),
  );
}

/** Returns the claims that are asked for by name, and that a scope of the client has. */
const namedIn = (wanted: Readonly<Record<string, unknown>> | undefined, { settings }: Client): string[] =>
  Object.keys(wanted ?? {}).filter((name) => scopesOf(settings.scope).includes(scopeWith(name) ?? ""));

function levelsOf(claims: Readonly<Record<string, unknown>> | undefined, params: Params) {
  const wanted = claims?.["acr"];
  const values =
    isRecord(wanted) && Array.isArray(wanted["values"]) ? wanted["values"] : isRecord(wanted) ? [wanted["value"]] : [];
  const isEssential = isRecord(wanted) && wanted["essential"] === true;
  const named = values.filter((value): value is string => typeof value === "string");
  if (isEssential && named.length > 0 && !named.some((each) => each === "aal1" || each === "aal2"))
    throw new OAuthError("unmet_authentication_requirements", "The levels are aal1 and aal2.");
  return { acr: named.length > 0 ? named : scopesOf(params.get("acr_values") ?? ""), isLevelEssential: isEssential };
}

/** Reads the rest of a request. Throws what its client is told. */
export function readRequest(destination: Destination, params: Params): AuthorizationRequest {
  requireForm(params, destination);
  const { client } = destination;
  const scope = scopeOf(client, params.get("scope"));
  const claims: { id_token?: Readonly<Record<string, unknown>>; userinfo?: Readonly<Record<string, unknown>> } =
    claimsOf(params);
  const [forIdToken, forUserinfo] = [namedIn(claims.id_token, client), namedIn(claims.userinfo, client)];
  const resources = [...resourcesOf(params)];
  const named = [...forIdToken, ...forUserinfo].flatMap((name) => scopeWith(name) ?? []);
  const jkt = params.get("dpop_jkt");
  if (jkt !== undefined && !/^[\w-]{43}$/.test(jkt)) throw invalidRequest("dpop_jkt is no thumbprint (RFC 9449 §10).");
  const asked = promptsOf(params);
  const isStanding = scopesOf(scope).includes("offline_access");
  return {
    ...destination,
    scope,
    disclosed: { scopes: [...new Set([...scopesOf(scope), ...named])], resources },
    prompts: asked,
    maxAgeSeconds: maxAgeOf(params),
    challenge: challengeOf(client, params),
    nonce: params.get("nonce"),
    hint: params.get("id_token_hint"),
    loginHint: params.get("login_hint"),
    ...levelsOf(claims.id_token, params),
    isStanding,
    delegation: {
      scope,
      resources,
      ...(forIdToken.length > 0 && { id_token: forIdToken }),
      ...(forUserinfo.length > 0 && { userinfo: forUserinfo }),
      ...(jkt !== undefined && { jkt }),
    },
  };
}

/** Whether the person has to be asked, where they have let the client have `consented` before. */
export const needsConsent = (
  { client, prompts: asked, disclosed }: AuthorizationRequest,
  consented: ConsentRow | undefined,
): boolean =>
  asksConsent(client) &&
  (asked.includes("consent") ||
    // A program that registers itself names any places: a yes to one that people know would be a yes to the others.
    (client.origin === "registration" && leadsToSeveral(client)) ||
    !covers(consented, disclosed));
