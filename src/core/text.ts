import { invalidFields } from "./errors.ts";
import { FieldFault, isFault } from "./fields.ts";

// Line and paragraph separators break a line in mails and logs as control characters do.
const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** A text as it is stored and compared: in Unicode normalisation form C, without spaces around it. */
export function readText(value: string): string | FieldFault {
  const trimmed = value.normalize("NFC").trim();
  return controlCharacters.test(trimmed) || !trimmed.isWellFormed()
    ? new FieldFault("invalid_characters", "must not contain control characters")
    : trimmed;
}

/** RFC 8265 §4: NFC and nothing else, so that a password keeps every character it was given. */
export function readPassword(value: string): string | FieldFault {
  // UTF-8 has no lone surrogates: all would hash as the same replacement character.
  return value.isWellFormed()
    ? value.normalize("NFC")
    : new FieldFault("invalid_characters", "must be well-formed Unicode");
}

function orRefuse(field: string, outcome: string | FieldFault): string {
  if (isFault(outcome)) throw invalidFields({ [field]: outcome });
  return outcome;
}

/** The same as readText, for callers with one field. Throws `invalid_payload`. */
export const text = (field: string, value: string): string => orRefuse(field, readText(value));

/** The same as readPassword, for callers with one field. Throws `invalid_payload`. */
export const password = (value: string, field = "password"): string => orRefuse(field, readPassword(value));
