import { Type, type Static } from "@sinclair/typebox";
import { errors, jwtVerify, type JWTPayload } from "jose";
import type { Clock } from "../../core/clock.ts";
import { createRemoteKeys } from "../../core/keys/remote.keys.ts";
import { secretsEqual } from "../../core/crypto.ts";
import type { ExchangeReason } from "../../core/errors.ts";
import { ExchangeFailure } from "./failure.ts";
import type { Outbound } from "./outbound.ts";
import { shaped } from "./shape.ts";

export interface IdTokenRules {
  /** Returns the issuer that a token with these claims must be from; undefined when the claims rule the token out. */
  readonly issuerFor: (claims: JWTPayload) => string | undefined;
  /** Another spelling of the same issuer. */
  readonly issuerAlias?: string;
}

interface IdTokenOptions extends IdTokenRules {
  readonly clientId: string;
  readonly jwksUrl: string;
  /** Algorithms that tokens may be signed with: by default those that Google, Microsoft and Apple use. */
  readonly algorithms?: readonly string[];
  readonly send: Outbound;
  readonly clock: Clock;
}

const skewSeconds = 60;
/** How old a token may be. The exchange takes seconds, but Microsoft dates its tokens back by five minutes. */
const oldest = "15m";

const Claims = Type.Object({
  iss: Type.String(),
  sub: Type.String({ minLength: 1, maxLength: 255 }),
  aud: Type.Union([Type.String(), Type.Array(Type.String())]),
  azp: Type.Optional(Type.String()),
  nonce: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  name: Type.Optional(Type.String()),
  preferred_username: Type.Optional(Type.String()),
  picture: Type.Optional(Type.String()),
  xms_edov: Type.Optional(Type.Union([Type.Boolean(), Type.String(), Type.Number()])),
});
export type IdTokenClaims = Static<typeof Claims> & { readonly issuer: string };

/** Validates ID tokens in full (OpenID Connect Core §3.1.3.7). */
export function createIdTokens(options: IdTokenOptions) {
  const { clientId, jwksUrl, algorithms = ["RS256", "ES256"], issuerFor, issuerAlias, send, clock } = options;
  const verifyByKeys = createRemoteKeys({
    url: jwksUrl,
    load: (url) => send(url, { method: "GET" }),
    tooMany: (most) => new ExchangeFailure("keys_invalid", { detail: `more than ${most}` }),
    clock,
  });

  async function verifySignature(token: string): Promise<JWTPayload> {
    try {
      const rules = {
        algorithms: [...algorithms],
        audience: clientId,
        clockTolerance: skewSeconds,
        maxTokenAge: oldest,
        currentDate: new Date(clock.now()),
        requiredClaims: ["iss", "aud", "exp", "iat"],
      };
      const { payload } = await verifyByKeys((key) => jwtVerify(token, key, rules));
      return payload;
    } catch (error) {
      throw error instanceof ExchangeFailure ? error : new ExchangeFailure(reasonOf(error), faultOf(error));
    }
  }

  return {
    /** Returns the claims of a valid token. Rejects with ExchangeFailure. */
    async verify(token: string, nonce: string): Promise<IdTokenClaims> {
      const claims = await verifySignature(token);
      const issuer = issuerFor(claims);
      if (issuer === undefined) throw new ExchangeFailure("id_token_tenant");
      if (claims.iss !== issuer && (issuerAlias === undefined || claims.iss !== issuerAlias))
        throw new ExchangeFailure("id_token_issuer");
      const { sub, nonce: echoed, aud } = claims;
      const azp = claims["azp"] ?? undefined;
      if (typeof sub !== "string" || sub === "") throw new ExchangeFailure("subject_missing");
      // A token without a nonce may be a replayed one, just as a token with a wrong nonce.
      if (typeof echoed !== "string" || !secretsEqual(echoed, nonce)) throw new ExchangeFailure("id_token_nonce");
      const isForOthers = Array.isArray(aud) && aud.length > 1;
      if ((azp !== undefined || isForOthers) && azp !== clientId) throw new ExchangeFailure("id_token_audience");
      return { ...shaped(Claims, claims, "id_token_invalid"), issuer };
    },
  };
}

/** Returns what the log gets in place of the error, which carries the claims of the token: they say who somebody is. */
function faultOf(error: unknown): { readonly detail: string } | { readonly cause: unknown } {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return { detail: `${error.claim} ${error.reason}` };
  return error instanceof errors.JOSEError ? { detail: error.code } : { cause: error };
}

function reasonOf(error: unknown): ExchangeReason {
  if (error instanceof errors.JWTExpired) return "id_token_expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "aud") return "id_token_audience";
    if (error.claim === "iss") return "id_token_issuer";
    return ["exp", "iat", "nbf"].includes(error.claim) ? "id_token_expired" : "id_token_invalid";
  }
  const isUnsigned =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed;
  if (isUnsigned) return "id_token_signature";
  return error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid ? "id_token_invalid" : "keys_invalid";
}
