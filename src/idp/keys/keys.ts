import {
  calculateJwkThumbprint,
  importPKCS8,
  importSPKI,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from "jose";
import { nodeCrypto } from "../../core/crypto.ts";
import type { IdTokenAlgorithm } from "../client/client.ts";

type Algorithm = IdTokenAlgorithm;

/** A public key for verifiers (RFC 7517), named by the hash of its parameters (RFC 7638). */
export type PublishedKey = Readonly<{
  kid: string;
  kty: string;
  alg: Algorithm;
  use: "sig";
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}>;

export interface KeySources {
  /** The private key of access tokens and of ID tokens by ES256 or EdDSA, in PEM (PKCS #8). */
  readonly access: () => Promise<string>;
  /** The RSA private key of ID tokens, in PEM (PKCS #8). */
  readonly rsa: () => Promise<string>;
  /** Earlier and coming public keys, in PEM (SPKI). */
  readonly previous: readonly string[];
}

interface SigningKey {
  readonly published: PublishedKey;
  readonly key: CryptoKey;
}

const algorithmOf = (kty: string): Algorithm => (kty === "RSA" ? "RS256" : kty === "EC" ? "ES256" : "EdDSA");

/** Returns the public half of a private key, or a public key, both in PEM. */
async function publishedOf(pem: string): Promise<PublishedKey> {
  const { kty, crv, x, y, n, e } = nodeCrypto().createPublicKey(pem).export({ format: "jwk" });
  if (kty === undefined) throw new Error("this key signs no tokens");
  const members = {
    kty,
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(n !== undefined && { n }),
    ...(e !== undefined && { e }),
  };
  return { kid: await calculateJwkThumbprint(members), ...members, alg: algorithmOf(kty), use: "sig" };
}

async function signingKey(pem: string): Promise<SigningKey> {
  const published = await publishedOf(pem);
  return { published, key: await importPKCS8(pem, published.alg) };
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** Base64url in its one canonical form, and as long as any token of ours. */
const wellFormed = /^[\w-]{1,1024}\.[\w-]{1,8192}\.[\w-]{43,700}$/;

/** Signs tokens and verifies our own. Keys are read when the first token needs them: a service that issues none waits for none. */
export function createKeys({ access, rsa, previous }: KeySources) {
  const accessKey = once(async () => signingKey(await access()));
  const rsaKey = once(async () => signingKey(await rsa()));
  const published = once(async () => {
    const keys = [
      (await accessKey()).published,
      (await rsaKey()).published,
      ...(await Promise.all(previous.map(publishedOf))),
    ];
    return [...new Map(keys.map((key) => [key.kid, key])).values()];
  });
  const verifiers = once(async () => {
    const pems = [await access(), await rsa(), ...previous];
    const keys = await Promise.all(
      pems.map(async (pem) => {
        const key = await publishedOf(pem);
        const spki = nodeCrypto().createPublicKey(pem).export({ type: "spki", format: "pem" });
        return [key.kid, { alg: key.alg, key: await importSPKI(spki, key.alg) }] as const;
      }),
    );
    return new Map(keys);
  });

  async function keyFor(algorithm: Algorithm): Promise<SigningKey> {
    const key = algorithm === "RS256" ? await rsaKey() : await accessKey();
    if (key.published.alg !== algorithm) throw new Error(`no key signs with ${algorithm}`);
    return key;
  }

  const sign = ({ published: { alg, kid }, key }: SigningKey, typ: string, claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ }).sign(key);

  /** Returns what a token of ours says; undefined for any other text. The header has to name one of our keys and its one algorithm. */
  async function verify(
    token: string,
    options: {
      readonly typ: string;
      readonly issuer: string;
      readonly now: number;
      readonly isExpiryIgnored?: boolean;
    },
  ): Promise<JWTPayload | undefined> {
    if (!wellFormed.test(token)) return undefined;
    const keys = await verifiers();
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid = "", alg }) => {
          const found = keys.get(kid);
          if (found === undefined || found.alg !== alg) throw new Error("signed by no key of ours");
          return found.key;
        },
        {
          typ: options.typ,
          issuer: options.issuer,
          currentDate: new Date(options.isExpiryIgnored === true ? 0 : options.now),
          requiredClaims: ["sub", "exp"],
        },
      );
      return payload;
    } catch {
      return undefined;
    }
  }

  return {
    published,
    /** The algorithms of ID tokens, the usual one first. */
    idTokenAlgorithms: async (): Promise<readonly Algorithm[]> => ["RS256", (await accessKey()).published.alg],
    signAccess: async (claims: JWTPayload): Promise<string> => sign(await accessKey(), "at+jwt", claims),
    signAs: async (algorithm: Algorithm, typ: "JWT" | "logout+jwt", claims: JWTPayload): Promise<string> =>
      sign(await keyFor(algorithm), typ, claims),
    verify,
  };
}

export type Keys = ReturnType<typeof createKeys>;
