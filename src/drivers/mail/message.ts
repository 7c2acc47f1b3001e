import type { Mail } from "./index.ts";

// The pattern excludes every character of an address list, a display name, a route or a quoted local part: one address stays one address.
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const controlCharacter = /[\p{Cc}\u2028\u2029]/u;
const maxAddressBytes = 254; // RFC 5321 §4.5.3.1.3
const maxSubjectLength = 200;

/** Throws on a value that could add a header or a recipient. The message does not repeat the value, since it may end up in a log. */
export function refuseForgery({ to, subject }: Mail): void {
  if (!plainAddress.test(to) || Buffer.byteLength(to) > maxAddressBytes) {
    throw new Error("mail refused: the recipient is not one plain address");
  }
  if (controlCharacter.test(subject)) throw new Error("mail refused: the subject holds a control character");
  if (subject.length > maxSubjectLength)
    throw new Error(`mail refused: the subject exceeds ${maxSubjectLength} characters`);
}

const linkToken = /([?&#](?:token|code)=)[^&\s"'<>#]+/g;
const bareToken = /(?<![\w-])[\w-]{40,}(?![\w-])/g;

const shortCode = /(?<!\d)\d{6}(?!\d)/g;

/** Returns a mail's text or subject as it may be logged: a reader of the log must not be able to use the links and codes of the mail. */
export const redactTokens = (text: string): string =>
  text.replace(linkToken, "$1[redacted]").replace(bareToken, "[redacted]").replace(shortCode, "[redacted]");
