import { AppError } from "./errors.ts";

// Line and paragraph separators break a line in mails and logs as control characters do.
const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** A text field as it is stored and compared: in Unicode normalisation form C, without spaces around it. */
export function text(field: string, value: string): string {
  const trimmed = value.normalize("NFC").trim();
  if (controlCharacters.test(trimmed) || !trimmed.isWellFormed()) {
    throw new AppError("invalid_payload", { fields: { [field]: "must not contain control characters" } });
  }
  return trimmed;
}

/** RFC 8265 §4: NFC and nothing else, so that a password keeps every character it was given. */
export function password(value: string, field = "password"): string {
  // UTF-8 has no lone surrogates: all would hash as the same replacement character.
  if (!value.isWellFormed())
    throw new AppError("invalid_payload", { fields: { [field]: "must be well-formed Unicode" } });
  return value.normalize("NFC");
}
