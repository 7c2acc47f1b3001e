import type { Client, ClientSettings } from "./client.ts";

/** What signs in the security profile of FAPI 2.0 (§5.4.1). */
const algorithms: ReadonlySet<string> = new Set(["PS256", "ES256", "EdDSA"]);

/** Returns by which of several algorithms a client may sign. */
export const signingOf = ({ settings: { fapi } }: Pick<Client, "settings">, all: readonly string[]): string[] =>
  all.filter((each) => !fapi || algorithms.has(each));

/** Says what keeps a client from the security profile of FAPI 2.0 (§5.3.2), each fault as a sentence that follows its name. */
export function faultsOfFapi(settings: ClientSettings): readonly string[] {
  if (!settings.fapi) return [];
  const unencrypted = settings.redirect_uris.filter((uri) => !uri.startsWith("https:"));
  return [
    ...(settings.token_endpoint_auth_method === "private_key_jwt"
      ? []
      : ["FAPI 2.0 needs private_key_jwt, with a JWKS URI"]),
    ...(settings.dpop_bound_access_tokens ? [] : ["FAPI 2.0 needs tokens that are bound to a key"]),
    ...(algorithms.has(settings.id_token_signed_response_alg) ? [] : ["FAPI 2.0 needs ID tokens by ES256 or EdDSA"]),
    ...unencrypted.map(
      (uri) => `FAPI 2.0 leads people on by https alone, and not to ${JSON.stringify(uri.slice(0, 200))}`,
    ),
  ];
}
