import { faultInWords } from "../../../account/shared/in.words.ts";
import { isFault } from "../../../core/fields.ts";
import { readText } from "../../../core/text/text.ts";
import type { StaffContext } from "../../frame/context.ts";

export const longestReason = 200;

/** Returns the reason as it is kept, or what is wrong with it, in the reader's words. */
export function reasonIn(
  form: URLSearchParams,
  { speech, words: { people } }: Pick<StaffContext, "speech" | "words">,
): { readonly reason: string } | { readonly error: string } {
  const { reason: label, noReason, tooLong } = people.impersonation;
  const reason = readText(form.get("reason") ?? "");
  if (isFault(reason)) return { error: faultInWords(speech.words, reason.code, label) };
  if (reason === "") return { error: noReason };
  return reason.length > longestReason ? { error: tooLong({ most: longestReason }) } : { reason };
}
