import { languages } from "../../account/shared/words/index.ts";
import { second } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import type { Times } from "../frame/times.ts";

/** Says why a new proof was refused; undefined where none has been given yet. */
export function proofError({ reason, retryAfterSeconds }: AppError, times: Times): string | undefined {
  if (reason === "reauthentication_required") return undefined;
  if (retryAfterSeconds !== undefined) {
    const until = times.briefly(times.now + retryAfterSeconds * second);
    return `Too many wrong passwords or codes. You can try again at ${until} (${times.zone}).`;
  }
  if (reason === "invalid_code") return languages.en.refusals.invalid_code;
  return reason === "invalid_payload" ? "This is missing." : "This is not your current password.";
}
