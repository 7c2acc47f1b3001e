import { createHmac } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Decodes base32 (RFC 4648) without the server's library. */
function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The length of a time step. */
export const stepMs = 30_000;

/** Returns the code of RFC 4226 for this counter, as an authenticator app computes it. */
export function hotp(base32: string, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac("sha1", bytesOf(base32)).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}

export const stepAt = (at: number): number => Math.floor(at / stepMs);

/** Returns the app's code now, or some steps later. */
export const codeOf = (base32: string, steps = 0): string => hotp(base32, stepAt(Date.now()) + steps);

/** Returns six digits that are wrong at every step about now. */
export function wrongCodeOf(base32: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(base32, steps)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.has(code)) ?? "";
}
