import type { Words } from "./words/index.ts";

/** A factor or an identity that was added to an account, for the page of its reset. */
interface AddedThing {
  readonly kind: "identity" | "totp" | "passkey";
  readonly name: string;
}

/** Writes the name of a provider with a capital letter, as people know it. */
const beginningUpper = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Describes the added factor or identity. */
export function addedInWords({ kind, name }: AddedThing, words: Words["reset"]["added"]): string {
  return kind === "totp" ? words.totp : words[kind](kind === "identity" ? beginningUpper(name) : name);
}
