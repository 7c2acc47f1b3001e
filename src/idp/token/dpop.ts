import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose";
import { minute, second, type Clock } from "../../core/clock.ts";
import { base64urlHash, contentHash, secretsEqual } from "../../core/crypto.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import type { Client } from "../client/client.ts";
import { signingOf } from "../client/fapi.ts";
import { OAuthError } from "../protocol/errors.ts";
import { skewMs } from "../protocol/skew.ts";
import type { ProofRepository } from "./proof.repository.ts";

interface DpopOptions {
  readonly proofs: ProofRepository;
  /** The address of this service, without a slash at its end. */
  readonly issuer: string;
  readonly clock: Clock;
}

export const dpopAlgorithms = ["ES256", "EdDSA", "RS256", "PS256", "ES384", "ES512"] as const;

const goodForMs = minute;
const longestProof = 4_096;
const Claims = Type.Object({
  jti: Type.String({ minLength: 1, maxLength: 256 }),
  htm: Type.String(),
  htu: Type.String(),
  iat: Type.Number(),
  ath: Type.Optional(Type.String()),
});

const refused = (why: ProgramFlaw, description: string): OAuthError =>
  new OAuthError("invalid_dpop_proof", description, { why });

/** Returns an address in the one way to write it, without a query and a fragment (RFC 9449 §4.3, RFC 3986 §6.2). */
const addressOf = (text: string): string | undefined => URL.parse(text.replace(/[?#].*$/s, ""))?.href;

/** Checks proofs of possession (RFC 9449 §4.3). Each is good once, for a minute, for one method and address. */
export function createDpop({ proofs, issuer, clock }: DpopOptions) {
  async function read(proof: string, client: Client) {
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: "dpop+jwt",
        algorithms: signingOf(client, dpopAlgorithms),
        currentDate: new Date(clock.now()),
        clockTolerance: skewMs / second,
      });
      const { jwk } = protectedHeader;
      if (jwk === undefined || "d" in jwk || !Value.Check(Claims, payload)) return undefined;
      return { claims: payload, jkt: await calculateJwkThumbprint(jwk) };
    } catch {
      return undefined;
    }
  }

  return {
    /**
     * Returns the thumbprint of the key that a request of a client proves to hold; undefined where it carries no proof. `token` is the access
     * token that comes with it. Throws `invalid_dpop_proof`.
     */
    async check(
      { headers, method }: Request,
      path: string,
      client: Client,
      token?: string,
    ): Promise<string | undefined> {
      const proof = headers.get("dpop");
      if (proof === null) return undefined;
      const found = proof.length > longestProof ? undefined : await read(proof, client);
      if (found === undefined) throw refused("proof_malformed", "The proof is not signed as RFC 9449 says.");
      const { claims, jkt } = found;
      const now = clock.now();
      if (claims.htm !== method || addressOf(claims.htu) !== addressOf(`${issuer}${path}`))
        throw refused("proof_of_other_request", "The proof is for another request.");
      if (Math.abs(now - claims.iat * 1000) > goodForMs)
        throw refused("proof_expired", "The proof is too old, or from the future.");
      if (token !== undefined && (claims.ath === undefined || !secretsEqual(claims.ath, base64urlHash(token))))
        throw refused("proof_of_other_token", "The proof is for another token.");
      if (!(await proofs.isNew(contentHash(`dpop.${jkt}.${claims.jti}`), now + 2 * goodForMs)))
        throw refused("proof_reused", "The proof was used before.");
      return jkt;
    },
  };
}

export type Dpop = ReturnType<typeof createDpop>;
