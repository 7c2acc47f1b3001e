import type { Millis } from "../../core/clock.ts";
import { deriveKey, mac, randomToken, secretsEqual, tokenHash } from "../../core/crypto.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import { isId } from "../../core/ids.ts";

export interface RefreshToken {
  readonly sessionId: string;
  readonly generation: number;
  readonly secretHash: string;
  /** Returns the secret of the next generation, for a page load. A repeated use of this token returns the same secret. */
  successor(): string;
}

const form = /^([0-9a-f-]{36})\.([1-9]\d{0,14})\.([\w-]{43})\.([\w-]{43})$/;

/** How long the fallback still takes the previous secret, for a burst of requests already in flight. */
const rotationGraceMs = 10_000;

/** Returns why the token's secret is not the session's current one; undefined when it is. */
export function secretMismatch(
  row: { readonly generation: number; readonly secretHash: string; readonly rotatedAt: Millis | null },
  token: RefreshToken,
  now: Millis,
): SessionFlaw | undefined {
  if (token.generation === row.generation)
    return token.secretHash === row.secretHash ? undefined : "invalid_refresh_token";
  // The token is newer than the row: the database is an older copy of itself (a restored backup), and nothing was swapped out.
  if (token.generation > row.generation) return "invalid_refresh_token";
  const inGrace = row.rotatedAt !== null && now - row.rotatedAt <= rotationGraceMs;
  return inGrace ? "refresh_hash_mismatch_grace" : "refresh_hash_mismatch";
}

/**
 * Opaque to clients: session id, generation, a 256-bit secret, and a MAC over the three. The MAC tells a
 * token that this server issued and has since swapped out (theft, or a race) from one that was made up.
 */
export function createRefreshTokens(secret: string, previousSecrets: readonly string[]) {
  const keys = [secret, ...previousSecrets].map((each) => deriveKey(each, "refresh-token"));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error("no signing key");
  const successorKey = deriveKey(secret, "refresh-token-successor");

  return {
    newSecret: randomToken,

    format(sessionId: string, generation: number, tokenSecret: string): string {
      const body = `${sessionId}.${generation}.${tokenSecret}`;
      return `${body}.${mac(signingKey, body)}`;
    },

    /** Returns the token's parts; undefined unless this server issued it. The token may no longer be good. */
    parse(token: string): RefreshToken | undefined {
      const [, sessionId, generation, tokenSecret, tag] = form.exec(token) ?? [];
      if (sessionId === undefined || generation === undefined || tokenSecret === undefined || tag === undefined)
        return undefined;
      const body = `${sessionId}.${generation}.${tokenSecret}`;
      if (!isId(sessionId) || !keys.some((key) => secretsEqual(mac(key, body), tag))) return undefined;
      return {
        sessionId,
        generation: Number(generation),
        secretHash: tokenHash(tokenSecret),
        successor: () => mac(successorKey, body),
      };
    },
  };
}

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;
