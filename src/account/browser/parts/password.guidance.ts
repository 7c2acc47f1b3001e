import { passwordFault, type PasswordOwner, type PasswordRules } from "../../../core/people/password.rules.ts";
import type { Words } from "../../shared/words.ts";
import { faultInWords } from "../../shared/in.words.ts";

export interface Guidance {
  readonly text: string;
  readonly isGood: boolean;
}

const strongLength = 16;

/** Judges a password while it is typed: names what it lacks by the server's own rules, or says how good it is. */
export function guide(password: string, owner: PasswordOwner, rules: PasswordRules, words: Words): Guidance {
  if (password === "") return { text: words.password.advice({ least: rules.minLength }), isGood: false };
  const typed = password.normalize("NFC");
  const length = [...typed].length;
  const fault = passwordFault(typed, owner, rules);
  if (fault === undefined)
    return { text: length < strongLength ? words.password.good : words.password.strong, isGood: true };
  return { text: inWords(fault.code, length, rules, words), isGood: false };
}

function inWords(code: string, length: number, { minLength, maxLength }: PasswordRules, words: Words): string {
  if (code === "too_short") return words.password.missing({ count: minLength - length });
  if (code === "too_long") return words.password.tooLong({ most: maxLength });
  return faultInWords(words, code, "");
}
