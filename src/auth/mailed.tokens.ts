import { deriveKey, mac } from "../core/crypto.ts";

/**
 * Tokens of mails: 256 bits that nobody can make without the key, which is not in the database. A token is made of the id of the job that
 * sends the mail, its purpose and its recipient. All attempts to deliver a mail thus have the same token, since an attempt that was
 * reported as failed may have arrived.
 */
export function createMailedTokens(secret: string) {
  const key = deriveKey(secret, "mailed-token");
  return {
    tokenOf: (parts: readonly string[]): string => mac(key, JSON.stringify(parts)),
  };
}

export type MailedTokens = ReturnType<typeof createMailedTokens>;
