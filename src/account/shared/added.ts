import type { Words } from "./words/index.ts";

/** What was added to an account, for the page of its reset. */
interface AddedThing {
  readonly kind: "identity" | "totp" | "passkey";
  readonly name: string;
}

/** Says what it is. */
export function addedInWords({ kind, name }: AddedThing, words: Words["reset"]["added"]): string {
  return kind === "totp" ? words.totp : words[kind](name);
}
