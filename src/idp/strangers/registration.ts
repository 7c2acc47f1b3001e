import { Value } from "@sinclair/typebox/value";
import type { Client as Requester, ProviderAuth } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import type { Database } from "../../drivers/database/index.ts";
import { authMethods, scopesOf, type Client } from "../client/client.ts";
import type { ClientRepository } from "../client/client.repository.ts";
import { needsSecret, newSecret } from "../client/clients.ts";
import { OAuthError } from "../protocol/errors.ts";
import type { JsonCall } from "../protocol/http.ts";
import type { Introspect } from "../token/introspection.ts";
import { invalidMetadata, Metadata, strangerOf } from "./stranger.settings.ts";

interface RegistrationOptions {
  /** Whether everybody may register, or programs alone that an operator has given a token. */
  readonly mode: "token" | "open";
  readonly database: Database;
  readonly rows: Pick<ClientRepository, "insert">;
  readonly auth: Pick<ProviderAuth, "clientOf" | "limit">;
  readonly introspect: Pick<Introspect, "read">;
  /** Returns the algorithms by which ID tokens can be signed with the keys that are set. */
  readonly algorithms: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

export const registerPath = "/oauth2/register";
/** The scope of a machine client whose access tokens let others register (RFC 7591 §3, "initial access token"). */
const registrationScope = "clients:register";

/** Programs that register themselves (RFC 7591). Nobody has checked them: people are always asked. */
export function createRegistration({ mode, database, rows, auth, introspect, algorithms, clock }: RegistrationOptions) {
  async function requireToken({ request, headers }: JsonCall): Promise<void> {
    const [scheme = "", token = ""] = (request.headers.get("authorization") ?? "").split(" ", 2);
    const found = scheme.toLowerCase() === "bearer" && token !== "" ? await introspect.read(token) : undefined;
    // A person's token is of no use here: an operator gives this scope to a program that acts for itself.
    const isGood = found !== undefined && found.row === undefined && found.jkt === undefined;
    if (isGood && scopesOf(found.claims.scope).includes(registrationScope)) return;
    headers.set("www-authenticate", `Bearer scope="${registrationScope}"`);
    throw new OAuthError("invalid_token", "Registration needs an access token.");
  }

  async function keep(metadata: Metadata) {
    const { jwks, ...stranger } = strangerOf(metadata, {
      methods: authMethods,
      defaultMethod: "client_secret_basic",
      algorithms: await algorithms(),
    });
    const now = clock.now();
    const secret = needsSecret(stranger.settings) ? newSecret() : undefined;
    const client = {
      id: newId(),
      origin: "registration",
      ...stranger,
      jwks,
      secretHash: secret === undefined ? null : tokenHash(secret),
      createdAt: now,
      updatedAt: now,
    } as const;
    await database.batch(rows.insert(client));
    return { client, secret };
  }

  const present = ({ id, name, settings, createdAt }: Pick<Client, "id" | "name" | "settings" | "createdAt">) => ({
    client_id: id,
    client_id_issued_at: Math.floor(createdAt / 1000),
    client_name: name,
    redirect_uris: settings.redirect_uris,
    post_logout_redirect_uris: settings.post_logout_redirect_uris,
    token_endpoint_auth_method: settings.token_endpoint_auth_method,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: settings.scope,
    ...(settings.jwks_uri !== null && { jwks_uri: settings.jwks_uri }),
    id_token_signed_response_alg: settings.id_token_signed_response_alg,
    dpop_bound_access_tokens: settings.dpop_bound_access_tokens,
  });

  /** Registers the program that a body describes. Throws what it is told. */
  return async function register(call: JsonCall): Promise<Response> {
    const requester: Requester = auth.clientOf(call.request);
    await auth.limit("client-registration", requester);
    if (mode === "token") await requireToken(call);
    const { body } = call;
    if (typeof body !== "object" || body === null) throw invalidMetadata("The body is an object of JSON.");
    // RFC 7591 §3.2.2 tells the one fault apart that is most often made.
    if (!("redirect_uris" in body) || !Value.Check(Metadata.properties.redirect_uris, body.redirect_uris))
      throw new OAuthError("invalid_redirect_uri", "redirect_uris has 1 to 20 addresses.");
    if (!Value.Check(Metadata, body)) throw invalidMetadata("A field is of another kind, or too long.");
    const { client, secret } = await keep(body);
    const shown = {
      ...present(client),
      ...(client.jwks !== undefined && { jwks: client.jwks }),
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    };
    return Response.json(shown, { status: 201, headers: call.headers });
  };
}
