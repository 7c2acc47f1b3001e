import { jwt } from "@elysiajs/jwt";
import { importJWK, importPKCS8, type JWTPayload, type JWTVerifyOptions } from "jose";
import type { JsonObject } from "../metadata/merge.patch.ts";
import { publicJwkOf, type PublicJwk } from "../../core/keys/signing.keys.ts";

interface Jwt {
  sign(claims: JsonObject): Promise<string>;
  /** Returns the payload; false for a token that does not match the options. */
  verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload | false>;
}

/** Checks signatures by one key, with the one algorithm of that key. */
interface Verifier {
  readonly algorithm: string;
  readonly verify: Jwt["verify"];
}

export interface TokenKeys {
  readonly sign: Jwt["sign"];
  /** Whether tokens keep to the profile of access tokens for other programs to verify (RFC 9068). */
  readonly isProfiled: boolean;
  /** The keys that may have signed a token, by the text of the token's header. */
  readonly verifiers: ReadonlyMap<string, readonly Verifier[]>;
  /** The keys that anybody may verify by; the first one signs. */
  readonly published: readonly PublicJwk[];
}

interface TokenKeyOptions {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  /** The signing key in PEM (PKCS #8). Without it `secret` signs. */
  readonly privateKey?: string | undefined;
  /** Earlier public keys in PEM (SPKI). */
  readonly previousPublicKeys?: readonly string[];
}

const symmetric = { alg: "HS256", typ: "JWT" } as const;
const headerOf = ({ kid, alg }: PublicJwk) => ({ alg, kid, typ: "at+jwt" });
const encode = (header: object): string => Buffer.from(JSON.stringify(header)).toString("base64url");

/** The secret is imported once: given as a text, the library would import it anew for each token. */
const importSecret = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

async function byPublicKey(key: PublicJwk): Promise<Verifier> {
  const { verify } = jwt({ secret: await importJWK({ ...key }, key.alg) }).decorator.jwt;
  return { algorithm: key.alg, verify };
}

async function bySecret(secret: string): Promise<Jwt> {
  return jwt({ secret: await importSecret(secret), ...symmetric }).decorator.jwt;
}

/**
 * The keys of access tokens: a secret that this service shares with nobody, or a private key whose public half is published. Once a private
 * key signs, the secret verifies no access token: a thief of the secret alone can make none.
 */
export async function createTokenKeys(options: TokenKeyOptions): Promise<TokenKeys> {
  const { secret, previousSecrets, privateKey, previousPublicKeys = [] } = options;
  const pems = [...(privateKey === undefined ? [] : [privateKey]), ...previousPublicKeys];
  const keys = await Promise.all(pems.map(publicJwkOf));
  const published = [...new Map(keys.map((key) => [key.kid, key])).values()];
  const verifiers = new Map<string, readonly Verifier[]>();
  for (const key of published) verifiers.set(encode(headerOf(key)), [await byPublicKey(key)]);

  const [current] = published;
  if (privateKey !== undefined && current !== undefined) {
    const { sign } = jwt({ secret: await importPKCS8(privateKey, current.alg), ...headerOf(current) }).decorator.jwt;
    return { sign, isProfiled: true, verifiers, published };
  }
  const { sign, verify } = await bySecret(secret);
  const previous = await Promise.all(previousSecrets.map(bySecret));
  const ofSecrets = [{ verify }, ...previous].map((each) => ({ algorithm: symmetric.alg, verify: each.verify }));
  verifiers.set(encode(symmetric), ofSecrets);
  return { sign, isProfiled: false, verifiers, published };
}
