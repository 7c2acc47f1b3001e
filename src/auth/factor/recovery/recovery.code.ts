import { tokenHash } from "../../../core/crypto.ts";
import type { RecoveryRepository } from "./recovery.repository.ts";

/** Crockford's alphabet: base32 without the letters that are mistaken for others. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/**
 * 120 bits: from 112 on a plain hash may store a code, as it does a token, and no slow one is needed (OWASP ASVS 6.5.2, NIST SP 800-63B-4,
 * section 3.1.2.2).
 */
const characters = 24;
const groupOf = 4;

/** How many codes are made at a time. */
const codesMade = 10;

function newCode(): string {
  const picked = [...crypto.getRandomValues(new Uint8Array(characters))].map((byte) => alphabet.charAt(byte % 32));
  return Array.from({ length: characters / groupOf }, (_, group) =>
    picked.slice(group * groupOf, (group + 1) * groupOf).join(""),
  ).join("-");
}

/** Returns new codes in the form in which they are shown, once: `7gk2-m9xd-…`. */
export const newRecoveryCodes = (): readonly string[] => Array.from({ length: codesMade }, newCode);

/** Returns a new set of codes, and the statements that store it in place of the old one. */
export function replaceRecoveryCodes(recovery: Pick<RecoveryRepository, "removeAll" | "insert">, userId: string) {
  const codes = newRecoveryCodes();
  return { codes, statements: [recovery.removeAll(userId), recovery.insert(userId, codes.map(recoveryCodeHash))] };
}

/** Returns the hash by which a code is found. Case, hyphens and spaces don't matter, nor which of several similar letters somebody has read. */
export const recoveryCodeHash = (typed: string): string =>
  tokenHash(
    typed
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .replaceAll("o", "0")
      .replaceAll(/[il]/g, "1"),
  );
