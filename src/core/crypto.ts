import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { encodeBase64urlNoPadding } from "@oslojs/encoding";

/** 256 bits from the operating system's generator, base64url. */
export const randomToken = (): string => encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Ciphers and keys as files have them. They are loaded when they are first needed, and with them all streams: every start and every
 * command would otherwise wait for that.
 */
export const nodeCrypto = () => process.getBuiltinModule("node:crypto");

// Digests are the runtime's own: SHA-256 of a body took it 4 µs where a library in JavaScript took 174, and each refresh makes three MACs.
const sha256 = (content: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(content);
const hmacSha256 = (key: string | Uint8Array, text: string) => new Bun.CryptoHasher("sha256", key).update(text);

/** SHA-256 in hexadecimal: what tells a content from another one. */
export const contentHash = (content: string | Uint8Array): string => sha256(content).digest("hex");

/** How a 256-bit random token is stored. Not for passwords. */
export const tokenHash = (token: string): string => contentHash(token);

/** HMAC-SHA-256 (RFC 2104), base64url. */
export const mac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("base64url");

/** HMAC-SHA-256 in base64 with padding, as signatures of webhooks are written. */
export const base64Mac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("base64");

/** HMAC-SHA-256 in hexadecimal, for names of files. */
export const hexMac = (key: Uint8Array, text: string): string => hmacSha256(key, text).digest("hex");

/** Derives the key for one purpose from a secret, so that no key serves two purposes. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  hmacSha256(secret, `gatehouse/${purpose}`).digest();

/** Compares digests of both, so that the time taken shows neither their content nor their length. */
export const secretsEqual = (a: string, b: string): boolean =>
  constantTimeEqual(sha256(a).digest(), sha256(b).digest());
