import { randomToken, tokenHash } from "../../core/crypto.ts";

const prefix = "ghp_";
/** 256 random bits in base64url, and a checksum. */
const form = /^ghp_([\w-]{43})([0-9A-Za-z]{6})$/;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const checksumLength = 6;

/** Returns the CRC-32 of a text in six digits of base 62: a typing mistake, or a text that only looks like a token, needs no look-up. */
function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text);
  let written = "";
  for (let place = 0; place < checksumLength; place += 1) {
    written = `${digits[rest % digits.length]}${written}`;
    rest = Math.floor(rest / digits.length);
  }
  return written;
}

/** Returns a new token, which is shown once, and the hash under which it is stored. */
export function newPersonalToken() {
  const random = randomToken();
  const token = `${prefix}${random}${checksumOf(random)}`;
  return { token, secretHash: tokenHash(token) };
}

/** Whether a bearer is meant as a personal token, right or wrong: no access token begins so. */
export const isPersonalToken = (bearer: string | undefined): bearer is string => bearer?.startsWith(prefix) === true;

/** Returns the hash by which a token is found; undefined for a text that can be none. */
export function hashOfPersonalToken(token: string): string | undefined {
  const [, random = "", checksum = ""] = form.exec(token) ?? [];
  return random !== "" && checksumOf(random) === checksum ? tokenHash(token) : undefined;
}
