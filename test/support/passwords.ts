import { createPasswordPolicy } from "../../src/auth/password/password.policy.ts";
import { loadBreachedPasswords } from "../../src/auth/password/breached.passwords.ts";

const breached = await loadBreachedPasswords();

/**
 * Returns a source of passwords that no account refuses, each different. The filter of breached passwords mistakes one in 65,536 for its
 * own; those are skipped.
 */
export function createPasswords(random: () => string): () => string {
  let count = 0;
  return () => {
    let password: string;
    do password = `a password of ${random()} ${++count}`;
    while (breached.has(password));
    return password;
  };
}

/** The rules of a service without settings. */
export const usualPolicy = createPasswordPolicy({
  passwordMinLength: 8,
  passwordMinLengthAlone: 8,
  mfaRequired: false,
  passwordRequire: { upper: false, lower: false, number: false, symbol: false },
});
