import { Elysia } from "elysia";
import { hidden } from "../http/index.ts";
import { assertionAlgorithms } from "./client/assertion.ts";
import { authMethods } from "./client/client.ts";
import type { Keys } from "./keys/keys.ts";
import { authorizePath } from "./authorize/authorize.routes.tsx";
import { deviceAuthorizationPath } from "./device/device.endpoint.ts";
import { scopes } from "./protocol/scopes.ts";
import { claimNames } from "./token/claims.ts";
import { dpopAlgorithms } from "./token/dpop.ts";
import { registerPath } from "./strangers/registration.ts";
import { introspectPath, parPath, revokePath, tokenPath, userinfoPath } from "./token/token.routes.ts";
import { logoutPath } from "./logout/logout.routes.tsx";

interface MetadataOptions {
  readonly issuer: string;
  readonly keys: Pick<Keys, "idTokenAlgorithms">;
  readonly grants: readonly string[];
  /** Whether programs may register themselves. */
  readonly registers: boolean;
  readonly documentsSupported: boolean;
  /** The languages of the pages that people see here (BCP 47). */
  readonly languages: readonly string[];
}

/** How long others keep what is published here (RFC 9111 §5.2.2.1). */
const published = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" } as const;

/** What this provider does, for programs that set themselves up (OpenID Connect Discovery §3, RFC 8414). */
export function metadataRoutes(options: MetadataOptions) {
  const { issuer, keys, grants, registers, documentsSupported, languages } = options;
  const at = (path: string): string => `${issuer}${path}`;
  const methods = [...authMethods];

  const document = async () => ({
    issuer,
    authorization_endpoint: at(authorizePath),
    token_endpoint: at(tokenPath),
    device_authorization_endpoint: at(deviceAuthorizationPath),
    userinfo_endpoint: at(userinfoPath),
    jwks_uri: at("/.well-known/jwks.json"),
    pushed_authorization_request_endpoint: at(parPath),
    revocation_endpoint: at(revokePath),
    introspection_endpoint: at(introspectPath),
    end_session_endpoint: at(logoutPath),
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "form_post"],
    grant_types_supported: grants,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: await keys.idTokenAlgorithms(),
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== "none"),
    claims_supported: ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid", ...claimNames],
    claim_types_supported: ["normal"],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    acr_values_supported: ["aal1", "aal2"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    ui_locales_supported: languages,
    code_challenge_methods_supported: ["S256"],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(registers && { registration_endpoint: at(registerPath) }),
    ...(documentsSupported && { client_id_metadata_document_supported: true }),
  });

  const answer = async (): Promise<Response> => Response.json(await document(), { headers: published });
  return new Elysia({ name: "idp/metadata" })
    .get("/.well-known/openid-configuration", answer, hidden)
    .get("/.well-known/oauth-authorization-server", answer, hidden);
}
