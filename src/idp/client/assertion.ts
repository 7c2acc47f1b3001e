import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { errors, jwtVerify } from "jose";
import { minute, second, type Clock } from "../../core/clock.ts";
import { contentHash } from "../../core/crypto.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import { skewMs } from "../protocol/skew.ts";
import { invalidClient } from "./authentication.ts";
import type { Client } from "./client.ts";
import type { VerifyByKeysOf } from "./client.keys.ts";
import { signingOf } from "./fapi.ts";
import type { ProofRepository } from "../token/proof.repository.ts";

interface AssertionOptions {
  readonly verifyByKeysOf: VerifyByKeysOf;
  readonly proofs: ProofRepository;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly onUnreadable: (client: Client, error: unknown) => void;
  readonly clock: Clock;
}

export const assertionAlgorithms = ["ES256", "EdDSA", "RS256", "PS256"] as const;

const longestMs = 5 * minute;
/** What was made later than this from now was made by a clock that nobody can go by. */
const mostAheadMs = 30 * second;

const Claims = Type.Object({
  aud: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 8 })]),
  exp: Type.Number(),
  jti: Type.String({ minLength: 1, maxLength: 256 }),
  iat: Type.Optional(Type.Number()),
});

/** Says why a signed text is no proof; what no key could be read for is told apart by operators. */
const reasonOf = (error: unknown): ProgramFlaw =>
  error instanceof errors.JWTExpired
    ? "assertion_expired"
    : error instanceof errors.JWTClaimValidationFailed
      ? "assertion_claims"
      : error instanceof errors.JOSEError
        ? "assertion_signature"
        : "keys_unreadable";

/** Checks the assertions by which clients prove who they are (RFC 7523 §3, `private_key_jwt`). Each is good once. */
export function createAssertions(options: AssertionOptions) {
  const { verifyByKeysOf, proofs, issuer, tokenEndpoint, onUnreadable, clock } = options;

  /** An assertion is for this service alone: with another audience beside ours, somebody else could show it here. */
  function isForUs(audience: string | readonly string[], { settings }: Client): boolean {
    // FAPI 2.0 Security Profile §5.3.2.1 asks for the issuer, as a text.
    if (settings.fapi) return audience === issuer;
    return [audience].flat().every((each) => each === issuer || each === tokenEndpoint);
  }

  /** Throws `invalid_client`. */
  return async function checkAssertion(client: Client, assertion: string): Promise<void> {
    const now = clock.now();
    const verified = await verifyByKeysOf(client, (key) =>
      jwtVerify(assertion, key, {
        algorithms: signingOf(client, assertionAlgorithms),
        issuer: client.id,
        subject: client.id,
        currentDate: new Date(now),
        clockTolerance: skewMs / second,
      }),
    ).catch((error: unknown) => {
      const why = reasonOf(error);
      if (why === "keys_unreadable" || error instanceof errors.JWKSInvalid) onUnreadable(client, error);
      throw invalidClient(why);
    });
    const claims = verified.payload;
    if (!Value.Check(Claims, claims)) throw invalidClient("assertion_claims");
    const { aud, exp, jti, iat = 0 } = claims;
    if (!isForUs(aud, client)) throw invalidClient("assertion_audience");
    if (iat * second > now + mostAheadMs) throw invalidClient("assertion_claims");
    const expiresAt = exp * second;
    if (expiresAt > now + longestMs + skewMs) throw invalidClient("assertion_too_long");
    if (!(await proofs.isNew(contentHash(`assertion.${client.id}.${jti}`), expiresAt + minute)))
      throw invalidClient("assertion_reused");
  };
}
