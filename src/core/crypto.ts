import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { encodeBase64urlNoPadding } from "@oslojs/encoding";

/** Returns 256 bits from the operating system's generator, in base64url. */
export const randomToken = (): string => encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Ciphers and keys in file formats. The module is loaded on first use because it loads all streams, for which every start and every command
 * would wait.
 */
export const nodeCrypto = () => process.getBuiltinModule("node:crypto");

// Digests come from the runtime: SHA-256 of a body took it 4 µs, and a library in JavaScript 174. Each refresh makes three MACs.
const hmacSha256 = (key: string | Uint8Array, text: string) => new Bun.CryptoHasher("sha256", key).update(text);

/** Returns the SHA-256 of a content in hexadecimal, which tells contents apart. */
export const contentHash = (content: string | Uint8Array): string => Bun.CryptoHasher.hash("sha256", content, "hex");

/** Returns the SHA-256 of a text in base64url, which standards of OAuth compare (RFC 7636 §4.2, RFC 9449 §4.2). */
export const base64urlHash = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "base64url");

/** Returns the stored form of a 256-bit random token. Unsuitable for passwords. */
export const tokenHash = (token: string): string => contentHash(token);

/** HMAC-SHA-256 (RFC 2104), base64url. */
export const mac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("base64url");

/** HMAC-SHA-256 in base64 with padding, the form of webhook signatures. */
export const base64Mac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("base64");

/** HMAC-SHA-256 in hexadecimal, for file names. */
export const hexMac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("hex");

/** Derives a key for one purpose from a secret, so that no key serves two purposes. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  hmacSha256(secret, `gatehouse/${purpose}`).digest();

/** Compares the digests of two secrets, so that timing reveals neither their content nor their length. */
export const secretsEqual = (a: string, b: string): boolean =>
  constantTimeEqual(Bun.CryptoHasher.hash("sha256", a), Bun.CryptoHasher.hash("sha256", b));
