import { decodeBase32IgnorePadding, encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { second, type Millis } from "../../../core/clock.ts";
import { mostSkewMs } from "../../../core/clock.trust.ts";

/** RFC 6238 with the values that every authenticator app knows: SHA-1, six digits, 30 seconds. */
const digits = 6;
const stepMs = 30 * second;
/** SHA-1's own number of bits, which RFC 4226, section 4, recommends. */
const secretBytes = 20;

/**
 * The steps whose codes are right: a code that was read off just before it changed still is, and one from a phone whose clock is ahead
 * already is.
 */
const stepsAround = [-1, 0, 1] as const;

/** The library is loaded at its first use: it brings hash functions of its own, and a service without authenticator apps never needs it. */
const library = () => import("@oslojs/otp");

/** Returns a new secret, in base32 as authenticator apps and people take it. */
export const newTotpSecret = (): string =>
  encodeBase32UpperCaseNoPadding(crypto.getRandomValues(new Uint8Array(secretBytes)));

/** Returns whether the text has the form of a secret of this service. */
export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** Returns when a time step began. */
export const beginOfStep = (step: number): Millis => step * stepMs;

/**
 * Returns the latest step that a right clock can have seen by then. A later stored step was written by a clock that was ahead, and does not
 * count.
 */
export const lastUsableStep = (step: number): number => step + Math.ceil(mostSkewMs / stepMs);

/** Removes spaces that people type, since authenticator apps show the code in two groups. */
const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, "");

/**
 * Returns the time step of the code, the latest where several fit; undefined for a wrong code. Every possible step is tried, so that the
 * time of an answer says nothing of the code.
 */
export async function stepOf(code: string, secret: string, now: Millis): Promise<number | undefined> {
  const { verifyHOTP } = await library();
  const typed = withoutSpaces(code);
  const key = decodeBase32IgnorePadding(secret);
  const current = Math.floor(now / stepMs);
  return stepsAround
    .map((offset) => current + offset)
    .filter((step) => step >= 0 && verifyHOTP(key, BigInt(step), digits, typed))
    .at(-1);
}

/** Returns the address that an authenticator app reads from a QR code. `account` tells several accounts with one issuer apart. */
export async function otpauthUri(issuer: string, account: string, secret: string): Promise<string> {
  const { createTOTPKeyURI } = await library();
  const uri = createTOTPKeyURI(issuer, account, decodeBase32IgnorePadding(secret), stepMs / second, digits);
  // The library writes a space as a plus sign, which apps show literally.
  return uri.replaceAll("+", "%20");
}
