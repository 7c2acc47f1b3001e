import type { App } from "../../../app/index.ts";
import { UsageError } from "../../command.ts";

type Settings = Parameters<NonNullable<App["clients"]>["update"]>[1];

const methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] as const;
const algorithms = ["RS256", "ES256", "EdDSA"] as const;
const scopes = ["openid", "profile", "email", "roles", "organizations", "offline_access"] as const;

/** Flags for what a program may do. Of those that name an address or a role, `none` takes it away. */
export const settingFlags = {
  "redirect-uri": { type: "string", valueHint: "URI", description: "Where people are led back to; may be repeated" },
  "post-logout-uri": { type: "string", valueHint: "URI", description: "Where a sign-out may lead; may be repeated" },
  "backchannel-logout-uri": { type: "string", valueHint: "URI", description: "Is told of sessions that have ended" },
  scope: { type: "string", valueHint: "SCOPES", description: `What it may have, with commas: ${scopes.join(", ")}` },
  role: { type: "string", valueHint: "ROLE", description: "Lets in people with this role alone" },
  "third-party": { type: "boolean", description: "Asks people before it sees anything of them" },
  "first-party": { type: "boolean", description: "Asks nobody: the program is your own (the default)" },
  auth: { type: "string", valueHint: "METHOD", description: `How it proves who it is: ${methods.join(", ")}` },
  "jwks-uri": { type: "string", valueHint: "URL", description: "Its public keys, for private_key_jwt" },
  "id-token-alg": { type: "string", valueHint: "ALG", description: `What signs ID tokens: ${algorithms.join(", ")}` },
  dpop: { type: "boolean", description: "Takes a proof of its key with each request (RFC 9449)" },
  fapi: { type: "boolean", description: "Keeps to FAPI 2.0: requests sent ahead, tokens bound to a key" },
} as const;

/** Flags for a change of a program: what is not named stays, and `none` takes away an address or a role. */
export const changeFlags = {
  ...settingFlags,
  "redirect-uri": {
    ...settingFlags["redirect-uri"],
    description: "Where people are led back to, instead of all it has; may be repeated",
  },
  "post-logout-uri": {
    ...settingFlags["post-logout-uri"],
    description: "Where a sign-out may lead, instead of all it has; may be repeated; none for nowhere",
  },
  "backchannel-logout-uri": {
    ...settingFlags["backchannel-logout-uri"],
    description: "Is told of sessions that have ended; none for nobody",
  },
  role: { ...settingFlags.role, description: "Lets in people with this role alone; none for everybody" },
  "first-party": { ...settingFlags["first-party"], description: "Asks nobody: the program is your own" },
  "jwks-uri": { ...settingFlags["jwks-uri"], description: "Its public keys, for private_key_jwt; none for no keys" },
  "no-dpop": { type: "boolean", description: "Takes tokens without a proof of its key, too" },
  "no-fapi": { type: "boolean", description: "Keeps to FAPI 2.0 no more; --no-dpop undoes what that asks of tokens" },
} as const;

export const settingValues = { auth: { among: methods }, "id-token-alg": { among: algorithms } } as const;

interface Given {
  readonly "backchannel-logout-uri"?: string | undefined;
  readonly scope?: string | undefined;
  readonly role?: string | undefined;
  readonly "third-party"?: boolean | undefined;
  readonly "first-party"?: boolean | undefined;
  readonly auth?: string | undefined;
  readonly "jwks-uri"?: string | undefined;
  readonly "id-token-alg"?: string | undefined;
  readonly dpop?: boolean | undefined;
  readonly fapi?: boolean | undefined;
}

const orNone = (text: string): string | null => (text === "none" ? null : text);

/** Returns the settings that flags name, and no others. What a flag turns on, its twin with `no-` turns off. */
export function readSettings(
  given: Given,
  every: (flag: "redirect-uri" | "post-logout-uri") => readonly string[],
): Settings {
  if (given["third-party"] === true && given["first-party"] === true)
    throw new UsageError("--third-party and --first-party exclude each other");
  const [redirects, logouts] = [every("redirect-uri"), every("post-logout-uri")];
  const method = methods.find((each) => each === given.auth);
  const algorithm = algorithms.find((each) => each === given["id-token-alg"]);
  const { scope, role, "backchannel-logout-uri": logoutUri, "jwks-uri": jwksUri } = given;
  return {
    ...(redirects.length > 0 && { redirect_uris: [...redirects] }),
    ...(logouts.length > 0 && { post_logout_redirect_uris: logouts.filter((uri) => uri !== "none") }),
    ...(logoutUri !== undefined && { backchannel_logout_uri: orNone(logoutUri) }),
    ...(scope !== undefined && {
      scope: scope
        .split(/[\s,]+/)
        .filter((each) => each !== "")
        .join(" "),
    }),
    ...(role !== undefined && { role: orNone(role) }),
    ...(given["third-party"] === true && { third_party: true }),
    ...(given["first-party"] === true && { third_party: false }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...(jwksUri !== undefined && { jwks_uri: orNone(jwksUri) }),
    ...(algorithm !== undefined && { id_token_signed_response_alg: algorithm }),
    ...(given.fapi !== undefined && { fapi: given.fapi }),
    ...(given.fapi === true && { dpop_bound_access_tokens: true }),
    ...(given.dpop !== undefined && { dpop_bound_access_tokens: given.dpop }),
  };
}
