import { jwt } from "@elysiajs/jwt";
import type { Clock, Millis } from "../../core/clock.ts";
import { isId } from "../../core/ids.ts";

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: Millis;
  readonly expiresAt: Millis;
}

interface AccessTokenOptions {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  readonly issuer: string;
  readonly audience: string;
  readonly ttlMs: number;
  readonly clock: Clock;
}

const maxTokenLength = 2048;
/**
 * Base64url in its one canonical spelling (RFC 4648 §3.5): the last character of 32 bytes leaves two bits unused, and the
 * JWT library's decoder skips them as it skips padding, so that several spellings of one signature would verify.
 */
const canonicalForm = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
const signatureLength = 43;
const maxRemembered = 20_000;
const allowedSkewSeconds = 60;

/** Imported once: given the secret itself, the library would import it anew for each token. */
const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

/** JWT HS256 (RFC 7519). A signature once verified is remembered until the token expires; the session row is not. */
export async function createAccessTokens(options: AccessTokenOptions) {
  const { secret, previousSecrets, issuer, audience, ttlMs, clock } = options;
  const signer = jwt({ name: "jwt", secret: await importKey(secret), alg: "HS256", iss: issuer, aud: audience });
  const earlier = previousSecrets.map(async (previous) =>
    jwt({ name: "jwt", secret: await importKey(previous), alg: "HS256" }),
  );
  const { sign } = signer.decorator.jwt;
  const verifiers = [signer, ...(await Promise.all(earlier))].map(({ decorator }) => decorator.jwt);
  /** Keyed by signature: hashing a whole token for the lookup costs more than comparing it once. */
  const remembered = new Map<string, { readonly token: string; readonly claims: AccessClaims }>();

  async function verifySignature(token: string): Promise<AccessClaims | undefined> {
    const now = clock.now();
    for (const verifier of verifiers) {
      const payload = await verifier.verify(token, {
        algorithms: ["HS256"],
        issuer,
        audience,
        requiredClaims: ["sub", "sid", "iat", "exp"],
        currentDate: new Date(now),
      });
      if (payload === false) continue;
      const { sub, sid, exp, iat } = payload;
      if (typeof sub !== "string" || typeof sid !== "string" || !isId(sid)) return undefined;
      if (exp === undefined || iat === undefined || iat > now / 1000 + allowedSkewSeconds) return undefined;
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
    /** Claims that this process has verified before and that have not expired; spares the hot path a promise. */
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

    /** Expires with the session at the latest. */
    sign(user: { id: string; username: string }, session: { id: string; expiresAt: Millis }): Promise<string> {
      const expiresAt = Math.min(clock.now() + ttlMs, session.expiresAt);
      return sign({ sub: user.id, sid: session.id, usr: user.username, exp: Math.floor(expiresAt / 1000) });
    },
  };
}

export type AccessTokens = Awaited<ReturnType<typeof createAccessTokens>>;
