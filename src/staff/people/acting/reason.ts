import { isFault } from "../../../core/fields.ts";
import { readText } from "../../../core/text/text.ts";

export const longestReason = 200;

/** Returns the reason as it is kept, or what is wrong with it, in words. */
export function reasonIn(form: URLSearchParams): { readonly reason: string } | { readonly error: string } {
  const reason = readText(form.get("reason") ?? "");
  if (isFault(reason)) return { error: `The reason ${reason.complaint}.` };
  if (reason === "") return { error: "Without a reason nobody looks at an account." };
  return reason.length > longestReason ? { error: `This has more than ${longestReason} letters.` } : { reason };
}
