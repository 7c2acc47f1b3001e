import { invalidFields } from "../errors.ts";
import { FieldFault, isFault } from "../fields.ts";

// Line and paragraph separators count too: they break a line in mails and logs as control characters do.
const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** The most marks on one letter: more than any script uses, and the limit that UAX #15 calls stream-safe. */
const mostMarks = 30;
const longRun = new RegExp(String.raw`\p{M}{${mostMarks + 1}}`, "u");
const pieces = new RegExp(String.raw`\P{M}*\p{M}{0,${mostMarks}}`, "gu");

/**
 * Normalises to Unicode form C. The time for that grows with the square of the marks on one letter, so a body of nothing but marks would
 * keep everybody waiting for seconds. Marks after the 30th on one letter are therefore normalised apart, as if they were on another letter.
 */
export const composed = (text: string): string =>
  longRun.test(text) ? text.replace(pieces, (piece) => piece.normalize("NFC")) : text.normalize("NFC");

const tooManyMarks = new FieldFault("invalid_characters", `must not have more than ${mostMarks} marks on one letter`);

/** Reads a text as it is stored and compared: in Unicode normalisation form C, without surrounding spaces. */
export function readText(value: string): string | FieldFault {
  if (longRun.test(value)) return tooManyMarks;
  const trimmed = composed(value).trim();
  return controlCharacters.test(trimmed) || !trimmed.isWellFormed()
    ? new FieldFault("invalid_characters", "must not contain control characters")
    : trimmed;
}

/** Applies RFC 8265 §4: NFC and nothing else, so that a password keeps every character. */
export function readPassword(value: string): string | FieldFault {
  // UTF-8 can't hold lone surrogates: all of them would hash as the same replacement character.
  if (!value.isWellFormed()) return new FieldFault("invalid_characters", "must be well-formed Unicode");
  return longRun.test(value) ? tooManyMarks : composed(value);
}

function orRefuse(field: string, outcome: string | FieldFault): string {
  if (isFault(outcome)) throw invalidFields({ [field]: outcome });
  return outcome;
}

/** Applies readText to a single field. Throws `invalid_payload`. */
export const text = (field: string, value: string): string => orRefuse(field, readText(value));

/** Applies readPassword to a single field. Throws `invalid_payload`. */
export const password = (value: string, field = "password"): string => orRefuse(field, readPassword(value));

/** Decodes UTF-8. Returns undefined for other bytes, instead of a text with replacement characters. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
