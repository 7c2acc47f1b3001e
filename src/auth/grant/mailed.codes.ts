import { deriveKey, hexMac, mac, secretsEqual } from "../../core/crypto.ts";

interface MailedCodeOptions {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
}

const digits = 6;

/**
 * Codes that people read in a mail and type. A thief of the hashes could soon try all six digits, so a hash is keyed with a secret that is
 * not in the database. It covers the grant's id as well: two grants with the same code have different hashes.
 */
export function createMailedCodes({ secret, previousSecrets }: MailedCodeOptions) {
  const [key, ...previousKeys] = [secret, ...previousSecrets].map((each) => deriveKey(each, "mailed-code"));
  if (key === undefined) throw new Error("no key for codes");
  const hashWith = (each: Uint8Array, grantId: string, code: string): string => mac(each, `${grantId}.${code}`);

  return {
    /**
     * Returns the code of a request's mail, the same in each attempt to deliver it. The 48 bits behind it make all codes equally frequent,
     * up to 1 in 10^8.
     */
    codeOf: (requestId: string): string =>
      String(Number.parseInt(hexMac(key, `code/${requestId}`).slice(0, 12), 16) % 10 ** digits).padStart(digits, "0"),

    hash: (grantId: string, code: string): string => hashWith(key, grantId, code),

    /** Compares a typed code with a hash. People may type spaces or a hyphen somewhere. */
    matches(typed: string, grantId: string, hash: string): boolean {
      const code = typed.replaceAll(/[\s-]/g, "");
      return [key, ...previousKeys].filter((each) => secretsEqual(hashWith(each, grantId, code), hash)).length > 0;
    },
  };
}

export type MailedCodes = ReturnType<typeof createMailedCodes>;
