import { deriveKey, mac } from "../core/crypto.ts";

/**
 * Tokens of mails: 256 bits that nobody can make without the key, which is not in the database. All attempts to deliver a mail have the
 * same one, since an attempt that was reported as failed may have arrived: it is made of the id of the job that sends the mail, of what
 * it is good for and of whom it is for.
 */
export function createMailedTokens(secret: string) {
  const key = deriveKey(secret, "mailed-token");
  return {
    tokenOf: (parts: readonly string[]): string => mac(key, JSON.stringify(parts)),
  };
}

export type MailedTokens = ReturnType<typeof createMailedTokens>;
