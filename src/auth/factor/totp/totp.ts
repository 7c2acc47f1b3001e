import { decodeBase32IgnorePadding, encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { second, type Millis } from "../../../core/clock.ts";
import { mostSkewMs } from "../../../core/clock.trust.ts";

/** RFC 6238 with the values that every authenticator app knows: SHA-1, six digits, 30 seconds. */
const digits = 6;
const stepMs = 30 * second;
/** As many bits as SHA-1 has, which RFC 4226, section 4, recommends. */
const secretBytes = 20;

/** A code that was read off just before it changed is still right, and one of a phone whose clock is ahead already is. */
const stepsAround = [-1, 0, 1] as const;

/** It brings hash functions of its own, and a service whose accounts have no authenticator app never needs it. */
const library = () => import("@oslojs/otp");

/** A fresh secret, in base32 as authenticator apps and people take it. */
export const newTotpSecret = (): string =>
  encodeBase32UpperCaseNoPadding(crypto.getRandomValues(new Uint8Array(secretBytes)));

/** Whether somebody may have been given this secret. */
export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** When a time step began. */
export const beginOfStep = (step: number): Millis => step * stepMs;

/** No clock that is right can have seen a later step by then: one that is stored was written by a clock that was ahead, and does not count. */
export const lastUsableStep = (step: number): number => step + Math.ceil(mostSkewMs / stepMs);

/** As people type it: authenticator apps show it in two groups. */
const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, "");

/**
 * The time step that the code is of, the latest where it is of several; undefined for a wrong code. All of the steps that may be meant
 * are tried whatever comes of them, so that the time of an answer says nothing of the code.
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

/** What an authenticator app reads from a QR code. `account` tells several accounts with one issuer apart. */
export async function otpauthUri(issuer: string, account: string, secret: string): Promise<string> {
  const { createTOTPKeyURI } = await library();
  const uri = createTOTPKeyURI(issuer, account, decodeBase32IgnorePadding(secret), stepMs / second, digits);
  // The library writes a space as a plus sign, which apps show as one.
  return uri.replaceAll("+", "%20");
}
