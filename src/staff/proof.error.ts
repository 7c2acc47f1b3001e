import { second } from "../core/clock.ts";
import type { AppError } from "../core/errors.ts";
import type { Times } from "./times.ts";

/** Why the password that was given once more was not taken; undefined where none has been given yet. */
export function proofError({ reason, retryAfterSeconds }: AppError, times: Times): string | undefined {
  if (reason === "reauthentication_required") return undefined;
  if (retryAfterSeconds !== undefined) {
    const until = times.briefly(times.now + retryAfterSeconds * second);
    return `Too many wrong passwords. You can try again at ${until} (${times.zone}).`;
  }
  return reason === "invalid_payload" ? "Password is missing." : "This is not your current password.";
}
