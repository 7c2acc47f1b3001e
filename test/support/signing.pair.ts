import { createHash, generateKeyPairSync, sign } from "node:crypto";

export type SigningAlgorithm = "EdDSA" | "ES256" | "RS256";
export const signingAlgorithms = ["EdDSA", "ES256"] as const;

const generate = {
  EdDSA: () => generateKeyPairSync("ed25519"),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const;

const encode = (part: unknown): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

type Members = Readonly<{ kty: string; crv?: string; x?: string; y?: string; e?: string; n?: string }>;

/** A private key for tokens and what belongs to it, made without the code under test. */
export function signingPair(alg: SigningAlgorithm) {
  const { privateKey, publicKey } = generate[alg]();
  const { kty = "", crv = "", x = "", y, e, n } = publicKey.export({ format: "jwk" });
  const members: Members =
    alg === "RS256" ? { e: e ?? "", kty, n: n ?? "" } : { crv, kty, x, ...(y !== undefined && { y }) };
  // The members are ordered by name, without others (RFC 7638 §3).
  const thumbprint = createHash("sha256").update(JSON.stringify(members));
  const kid = thumbprint.digest("base64url");
  const header = { alg, kid, typ: "at+jwt" };
  const signature = (body: string): string =>
    sign(alg === "EdDSA" ? null : "sha256", Buffer.from(body), {
      key: privateKey,
      dsaEncoding: "ieee-p1363",
    }).toString("base64url");

  return {
    alg,
    kid,
    header,
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }),
    publicPem: publicKey.export({ type: "spki", format: "pem" }),
    /** The public part, as in the key set. */
    jwk: { kid, ...members, alg, use: "sig" as const },
    signature,
    /** Returns a token signed by the key. Claims and header may be texts that only look like JSON. */
    token(claims: unknown, head: unknown = header): string {
      const body = `${encode(head)}.${encode(claims)}`;
      return `${body}.${signature(body)}`;
    },
  };
}

export type SigningPair = ReturnType<typeof signingPair>;
