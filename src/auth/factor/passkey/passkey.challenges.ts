import { encodeBase64urlNoPadding } from "@oslojs/encoding";
import { minute, type Clock } from "../../../core/clock.ts";
import { deriveKey, mac, secretsEqual } from "../../../core/crypto.ts";
import type { FactorFlaw } from "../../../core/flaws.ts";

interface PasskeyChallengeOptions {
  readonly app: string;
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  readonly clock: Clock;
}

/** The purpose of a challenge: making a passkey in a session, having the browser make one by itself there, or signing in with one in a browser. */
export interface Ceremony {
  readonly kind: "register" | "offer" | "login";
  /** The id of the session, or the value of the browser's cookie. */
  readonly boundTo: string;
}

export const passkeyChallengeTtlMs = 5 * minute;
const randomBytes = 16;
/** Random bytes and the end, in base64url without padding: a multiple of three bytes, so that text may follow. */
const headLength = 32;
const form = /^[\w-]{75}$/;

/**
 * Challenges for passkeys. Each has 128 random bits, its end and a MAC over both, the ceremony and the browser. Any process of the app
 * recognises a challenge and none has to keep it, so a client that asks for a million of them fills no table. The caller sees to it that a
 * challenge is answered once: it writes down the right answers.
 */
export function createPasskeyChallenges({ app, secret, previousSecrets, clock }: PasskeyChallengeOptions) {
  const keys = [secret, ...previousSecrets].map((each) => deriveKey(each, "passkey-challenge"));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error("no signing key");

  const seal = (key: Uint8Array, head: string, { kind, boundTo }: Ceremony): string =>
    mac(key, `${app}.${kind}.${head}.${boundTo}`);

  function endOf(head: string): number {
    const bytes = Buffer.from(head, "base64url");
    return Number(bytes.readBigUInt64BE(randomBytes));
  }

  return {
    issue(ceremony: Ceremony): string {
      const bytes = Buffer.alloc(randomBytes + 8);
      crypto.getRandomValues(bytes.subarray(0, randomBytes));
      bytes.writeBigUInt64BE(BigInt(clock.now() + passkeyChallengeTtlMs), randomBytes);
      const head = encodeBase64urlNoPadding(bytes);
      return `${head}${seal(signingKey, head, ceremony)}`;
    },

    flawOf(challenge: string, ceremony: Ceremony): FactorFlaw | undefined {
      if (!form.test(challenge)) return "challenge_unknown";
      const head = challenge.slice(0, headLength);
      const isOurs = keys.some((key) => secretsEqual(seal(key, head, ceremony), challenge.slice(headLength)));
      // A made-up challenge can't be told from one of another browser, session or ceremony.
      if (!isOurs) return "challenge_unknown";
      const left = endOf(head) - clock.now();
      return left > 0 && left <= passkeyChallengeTtlMs ? undefined : "challenge_expired";
    },

    /** Returns until when an answer to the challenge has to be remembered. */
    endOf: (challenge: string): number => endOf(challenge.slice(0, headLength)),
  };
}
