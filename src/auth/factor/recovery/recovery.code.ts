import type { Clock } from "../../../core/clock.ts";
import { tokenHash } from "../../../core/crypto.ts";
import { byUser } from "../../journal.ts";
import { noticeJob } from "../../mail/jobs.ts";
import type { FactorMethod } from "../method.ts";
import type { RecoveryRepository } from "./recovery.repository.ts";

/** Crockford's alphabet: base32 without the letters that are mistaken for others. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/**
 * 120 bits: from 112 on a plain hash may store a code, as it does a token, and no slow one is needed (OWASP ASVS 6.5.2, NIST SP 800-63B-4,
 * section 3.1.2.2).
 */
const characters = 24;
const groupOf = 4;

const codesMade = 10;

function newCode(): string {
  const picked = [...crypto.getRandomValues(new Uint8Array(characters))].map((byte) => alphabet.charAt(byte % 32));
  return Array.from({ length: characters / groupOf }, (_, group) =>
    picked.slice(group * groupOf, (group + 1) * groupOf).join(""),
  ).join("-");
}

/** Returns new codes in the form in which they are shown, once: `7gk2-m9xd-…`. */
export const newRecoveryCodes = (): readonly string[] => Array.from({ length: codesMade }, newCode);

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

interface RecoveryOptions {
  readonly recovery: Pick<RecoveryRepository, "find" | "left" | "use">;
  readonly clock: Clock;
}

/** Recovery codes stand in for a factor that is not at hand. Each is right once, and its use is told to its owner by mail. */
export const createRecoveryMethod = ({ recovery, clock }: RecoveryOptions): FactorMethod => ({
  name: "recovery_code",

  isSetUp: async ({ id, factors }) => factors !== 0 && (await recovery.left(id)) > 0,

  async check({ id: userId, factors }, { code = "" }, { client }) {
    if (factors === 0) return { refused: "no_such_factor" };
    const row = await recovery.find(userId, recoveryCodeHash(code));
    if (row === undefined) return { refused: "wrong_code" };
    if (row.usedAt !== null) return { refused: "code_used" };
    const left = (await recovery.left(userId)) - 1;
    return {
      guards: [recovery.use(row.id, clock.now())],
      jobs: [noticeJob("recovery_code_used", { userId }, { about: String(Math.max(0, left)), client })],
      tell: [{ topic: "auth.recovery-code-used", payload: { user_id: userId }, by: byUser(client) }],
    };
  },
});
