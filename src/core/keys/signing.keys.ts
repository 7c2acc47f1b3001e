import { calculateJwkThumbprint } from "jose";
import { nodeCrypto } from "../crypto.ts";

export type SigningAlgorithm = "EdDSA" | "ES256" | "RS256";

/** A public key in the form for verifiers (RFC 7517), named by the hash of its parameters (RFC 7638). */
export interface PublicJwk {
  readonly kid: string;
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
  readonly alg: SigningAlgorithm;
  readonly use: "sig";
}

/** The one algorithm of each kind of key: a verifier never takes it from a token. */
const algorithms: Readonly<Record<string, SigningAlgorithm>> = { OKP: "EdDSA", EC: "ES256", RSA: "RS256" };

/** Returns the public half of a private key, or a public key, both in PEM. */
export async function publicJwkOf(pem: string): Promise<PublicJwk> {
  const { kty = "", crv, x, y, n, e } = nodeCrypto().createPublicKey(pem).export({ format: "jwk" });
  const alg = algorithms[kty];
  if (alg === undefined) throw new Error("this key signs no tokens");
  const key = {
    kty,
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(n !== undefined && { n }),
    ...(e !== undefined && { e }),
  };
  return { kid: await calculateJwkThumbprint(key), ...key, alg, use: "sig" };
}

const makers = {
  EdDSA: () => nodeCrypto().generateKeyPairSync("ed25519"),
  ES256: () => nodeCrypto().generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RS256: () => nodeCrypto().generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const satisfies Readonly<Record<SigningAlgorithm, unknown>>;

/** Returns a new private key for the algorithm, in PEM (PKCS #8). */
export const newPrivateKey = (algorithm: SigningAlgorithm): string =>
  makers[algorithm]().privateKey.export({ type: "pkcs8", format: "pem" }).trimEnd();
