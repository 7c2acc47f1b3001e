import { loadBreachedPasswords } from "../../src/auth/password/breached.passwords.ts";

const breached = await loadBreachedPasswords();

/** Passwords that no account refuses, each another one: the filter of breached passwords takes one in 65,536 for its own by mistake. */
export function createPasswords(random: () => string): () => string {
  let count = 0;
  return () => {
    let password: string;
    do password = `a password of ${random()} ${++count}`;
    while (breached.has(password));
    return password;
  };
}
