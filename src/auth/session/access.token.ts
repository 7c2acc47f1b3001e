import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Clock, Millis } from "../../core/clock.ts";
import { isId, newId } from "../../core/ids.ts";
import type { Level, WayIn } from "../factor/level.ts";
import type { FactorName } from "../factor/method.ts";
import type { TokenKeys } from "./token.keys.ts";

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: Millis;
  readonly expiresAt: Millis;
}

interface AccessTokenOptions {
  readonly keys: TokenKeys;
  readonly issuer: string;
  readonly audience: string;
  readonly ttlMs: number;
  readonly clock: Clock;
}

/** The claims that this service writes and reads. The library accepts more forms, such as several audiences. */
const Claims = Type.Object({
  aud: Type.String(),
  sub: Type.String(),
  sid: Type.String(),
  iat: Type.Integer(),
  exp: Type.Integer(),
});

const ofWays: Readonly<Record<WayIn, readonly string[]>> = {
  password: ["pwd"],
  provider: ["fed"],
  email: ["email"],
  passkey: ["swk", "user"],
};
const ofFactors: Readonly<Record<FactorName, string>> = { totp: "otp", recovery_code: "otp", passkey: "swk" };

/**
 * Returns the claim `amr` of an access token (RFC 8176). `fed` for a provider and `email` for a mailed code are not registered: no
 * registered value means them.
 */
export const methodReferences = ({ cameBy, factor }: Level): string[] => [
  ...new Set([...(cameBy === null ? [] : ofWays[cameBy]), ...(factor === null ? [] : [ofFactors[factor], "mfa"])]),
];

const maxTokenLength = 2048;
/**
 * Base64url in its one canonical spelling (RFC 4648 §3.5): the last character of a signature leaves bits unused, two of 32 bytes and four
 * of 64. The JWT library's decoder skips them as it skips padding, so without this check several spellings of one signature would verify.
 */
const canonicalForm = /^[\w-]+\.[\w-]+\.(?:[\w-]{42}[AEIMQUYcgkosw048]|[\w-]{85}[AQgw])$/;
/** How many characters at the end of a token are its signature alone. */
const signatureLength = 43;
const maxRemembered = 20_000;
const allowedSkewSeconds = 60;

/**
 * Access tokens: JWT signed with HS256 (RFC 7519), or with a private key by the profile of RFC 9068. A signature once verified
 * is remembered until the token expires; the session row is not.
 */
export function createAccessTokens({ keys, issuer, audience, ttlMs, clock }: AccessTokenOptions) {
  /** Keyed by signature: hashing a whole token for the lookup costs more than comparing it once. */
  const remembered = new Map<string, { readonly token: string; readonly claims: AccessClaims }>();

  async function verifySignature(token: string): Promise<AccessClaims | undefined> {
    const now = clock.now();
    // The header is looked up as it is written, and never parsed: a header that this service does not write itself is refused, whatever
    // algorithm, key or extension it names.
    const [header = ""] = token.split(".", 1);
    for (const { verify, algorithm } of keys.verifiers.get(header) ?? []) {
      const payload = await verify(token, {
        algorithms: [algorithm],
        issuer,
        audience,
        currentDate: new Date(now),
      });
      if (payload === false) continue;
      if (!Value.Check(Claims, payload) || payload.aud !== audience || !isId(payload.sid)) return undefined;
      const { sub, sid, exp, iat } = payload;
      if (iat > now / 1000 + allowedSkewSeconds) return undefined;
      return { userId: sub, sessionId: sid, issuedAt: iat * 1000, expiresAt: exp * 1000 };
    }
    return undefined;
  }

  function remember(token: string, claims: AccessClaims): void {
    if (remembered.size >= maxRemembered) {
      const oldest = remembered.keys().next();
      if (!oldest.done) remembered.delete(oldest.value);
    }
    remembered.set(token.slice(-signatureLength), { token, claims });
  }

  return {
    /** Returns claims that this process has verified before and that have not expired; spares the hot path a promise. */
    recall(token: string): AccessClaims | undefined {
      const signature = token.slice(-signatureLength);
      const known = remembered.get(signature);
      if (known === undefined || known.token !== token) return undefined;
      if (known.claims.expiresAt > clock.now()) return known.claims;
      remembered.delete(signature);
      return undefined;
    },

    async verify(token: string): Promise<AccessClaims | undefined> {
      if (token.length > maxTokenLength || !canonicalForm.test(token)) return undefined;
      const claims = await verifySignature(token);
      if (claims !== undefined) remember(token, claims);
      return claims;
    },

    /** Signs a token, which expires with the session at the latest. */
    sign(user: { id: string; username: string }, session: { id: string; expiresAt: Millis } & Level): Promise<string> {
      const expiresAt = Math.min(clock.now() + ttlMs, session.expiresAt);
      return keys.sign({
        iss: issuer,
        aud: audience,
        // RFC 9068 §2.2 asks for both claims. The client is the app itself: nobody else is given tokens.
        ...(keys.isProfiled && { client_id: audience, jti: newId() }),
        sub: user.id,
        sid: session.id,
        usr: user.username,
        ...(session.cameBy !== null && { amr: methodReferences(session) }),
        exp: Math.floor(expiresAt / 1000),
      });
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
