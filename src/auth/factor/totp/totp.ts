import { decodeBase32IgnorePadding, encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { hour, minute, second, type Millis } from "../../../core/clock.ts";
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

/** RFC 4226, section 5.3. The library takes ten times as long, which would be felt over hundreds of steps. */
function codeAt(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = Buffer.from(new Bun.CryptoHasher("sha1", key).update(counter).digest());
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** How far a clock may be off that nobody has set right, and how far one that is set to another time zone by hand, which is whole half hours. */
const clockOffMs = 30 * minute;
const zonesOffMs = 14 * hour;
const zoneStepMs = 30 * minute;

const stepsOff: readonly number[] = (() => {
  const steps = (ms: number): number => ms / stepMs;
  const clock = Array.from({ length: 2 * steps(clockOffMs) + 1 }, (_, index) => index - steps(clockOffMs));
  const zones = Array.from({ length: (2 * zonesOffMs) / zoneStepMs + 1 }, (_, index) => {
    const zone = steps(index * zoneStepMs - zonesOffMs);
    return stepsAround.map((around) => zone + around);
  });
  return [...new Set([...clock, ...zones.flat()])].toSorted((a, b) => Math.abs(a) - Math.abs(b));
})();

/**
 * Returns how far the clock is off by which a wrong code is right, ahead where it is positive; undefined where it is right by none. Three
 * wrong codes of ten thousand seem to be right by some clock. No code is accepted for it, and nobody who typed one is told.
 */
export function clockOffOf(code: string, secret: string, now: Millis): Millis | undefined {
  const typed = withoutSpaces(code);
  const key = decodeBase32IgnorePadding(secret);
  const current = Math.floor(now / stepMs);
  const fitting = stepsOff.filter((off) => current + off >= 0 && codeAt(key, current + off) === typed);
  const [nearest] = fitting;
  return nearest === undefined ? undefined : nearest * stepMs;
}

/** Returns the address that an authenticator app reads from a QR code. `account` tells several accounts with one issuer apart. */
export async function otpauthUri(issuer: string, account: string, secret: string): Promise<string> {
  const { createTOTPKeyURI } = await library();
  const uri = createTOTPKeyURI(issuer, account, decodeBase32IgnorePadding(secret), stepMs / second, digits);
  // The library writes a space as a plus sign, which apps show literally.
  return uri.replaceAll("+", "%20");
}
