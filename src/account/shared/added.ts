import type { Words } from "./words/index.ts";

/** What was added to an account, for the page of its reset. */
interface AddedThing {
  readonly kind: "identity" | "totp" | "passkey";
  readonly name: string;
}

/** Providers are known by lower-case names, and people know them by others. */
const beginningUpper = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Says what it is. */
export function addedInWords({ kind, name }: AddedThing, words: Words["reset"]["added"]): string {
  return kind === "totp" ? words.totp : words[kind](kind === "identity" ? beginningUpper(name) : name);
}
