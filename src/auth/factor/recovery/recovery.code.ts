import { tokenHash } from "../../../core/crypto.ts";
import type { RecoveryRepository } from "./recovery.repository.ts";

/** Crockford's alphabet: base32 without the letters that are taken for others. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/**
 * 120 bits: from 112 on a code may be stored by a plain hash, as a token is, and needs no slow one (OWASP ASVS 6.5.2, NIST SP
 * 800-63B-4, section 3.1.2.2).
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

/** As they are shown, once: `7gk2-m9xd-…`. */
export const newRecoveryCodes = (): readonly string[] => Array.from({ length: codesMade }, newCode);

/** A fresh set, and the statements that store it in place of the one before. */
export function replaceRecoveryCodes(recovery: Pick<RecoveryRepository, "removeAll" | "insert">, userId: string) {
  const codes = newRecoveryCodes();
  return { codes, statements: [recovery.removeAll(userId), recovery.insert(userId, codes.map(recoveryCodeHash))] };
}

/** What a code is found by. Case, hyphens and spaces don't matter, nor which of the letters that look alike somebody has read. */
export const recoveryCodeHash = (typed: string): string =>
  tokenHash(
    typed
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .replaceAll("o", "0")
      .replaceAll(/[il]/g, "1"),
  );
