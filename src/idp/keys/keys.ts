import { importJWK, jwtVerify, type JWTPayload } from "jose";
import { signerOf, type Signer } from "../../core/keys/signer.ts";
import { publicJwkOf, type PublicJwk, type SigningAlgorithm } from "../../core/keys/signing.keys.ts";

export interface KeySources {
  /** The private key of access tokens and of ID tokens by ES256 or EdDSA, in PEM (PKCS #8). */
  readonly access: () => Promise<string>;
  /** The RSA private key of ID tokens, in PEM (PKCS #8). */
  readonly rsa: () => Promise<string>;
  /** Earlier and coming public keys, in PEM (SPKI). */
  readonly previous: readonly string[];
}

interface SigningKey {
  readonly published: PublicJwk;
  readonly sign: Signer;
}

async function signingKey(pem: string): Promise<SigningKey> {
  const published = await publicJwkOf(pem);
  return { published, sign: signerOf(pem, published) };
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

const verifier = async (key: PublicJwk) => ({ alg: key.alg, key: await importJWK({ ...key }, key.alg) });

/** Three parts in base64url, none longer than those of any token of ours: a signature by 4096 bits has 683 characters. */
const wellFormed = /^[\w-]{1,1024}\.[\w-]{1,8192}\.[\w-]{43,700}$/;

/** Signs tokens and verifies our own. Keys are read when the first token needs them: a service that issues none waits for none. */
export function createKeys({ access, rsa, previous }: KeySources) {
  const accessKey = once(async () => signingKey(await access()));
  const rsaKey = once(async () => signingKey(await rsa()));
  const published = once(async () => {
    const keys = [
      (await accessKey()).published,
      (await rsaKey()).published,
      ...(await Promise.all(previous.map(publicJwkOf))),
    ];
    return [...new Map(keys.map((key) => [key.kid, key])).values()];
  });
  const verifiers = once(async () => {
    const keys = (await published()).map(async (key) => [key.kid, await verifier(key)] as const);
    return new Map(await Promise.all(keys));
  });

  async function keyFor(algorithm: SigningAlgorithm): Promise<SigningKey> {
    const key = algorithm === "RS256" ? await rsaKey() : await accessKey();
    if (key.published.alg !== algorithm) throw new Error(`no key signs with ${algorithm}`);
    return key;
  }

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
    idTokenAlgorithms: async (): Promise<readonly SigningAlgorithm[]> => ["RS256", (await accessKey()).published.alg],
    signAccess: async (claims: JWTPayload): Promise<string> => (await accessKey()).sign("at+jwt", claims),
    signAs: async (algorithm: SigningAlgorithm, typ: "JWT" | "logout+jwt", claims: JWTPayload): Promise<string> =>
      (await keyFor(algorithm)).sign(typ, claims),
    verify,
  };
}

export type Keys = ReturnType<typeof createKeys>;
