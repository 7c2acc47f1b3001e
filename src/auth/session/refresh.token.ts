import { deriveKey, mac, randomToken, secretsEqual, tokenHash } from "../../core/crypto.ts";
import { isId } from "../../core/ids.ts";

export interface RefreshToken {
  readonly sessionId: string;
  readonly generation: number;
  readonly secretHash: string;
}

const form = /^([0-9a-f-]{36})\.([1-9]\d{0,14})\.([\w-]{43})\.([\w-]{43})$/;

/**
 * Opaque to clients: session id, generation, a 256-bit secret, and a MAC over the three (CONTRACT §3). The MAC tells a
 * token that this server issued and has since swapped out (theft, or a race) from one that was made up.
 */
export function createRefreshTokens(secret: string, previousSecrets: readonly string[]) {
  const keys = [secret, ...previousSecrets].map((each) => deriveKey(each, "refresh-token"));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error("no signing key");

  return {
    newSecret: randomToken,

    format(sessionId: string, generation: number, tokenSecret: string): string {
      const body = `${sessionId}.${generation}.${tokenSecret}`;
      return `${body}.${mac(signingKey, body)}`;
    },

    /** Undefined unless this server issued it. Says nothing about whether it is still good. */
    parse(token: string): RefreshToken | undefined {
      const [, sessionId, generation, tokenSecret, tag] = form.exec(token) ?? [];
      if (sessionId === undefined || generation === undefined || tokenSecret === undefined || tag === undefined)
        return undefined;
      const body = `${sessionId}.${generation}.${tokenSecret}`;
      if (!isId(sessionId) || !keys.some((key) => secretsEqual(mac(key, body), tag))) return undefined;
      return { sessionId, generation: Number(generation), secretHash: tokenHash(tokenSecret) };
    },
  };
}

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;
