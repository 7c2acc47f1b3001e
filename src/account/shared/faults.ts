import type { FieldCode } from "../../core/fields.ts";
import type { Words } from "./words/index.ts";

/** Faults of fields, and refusals that concern a field. */
type Code = FieldCode | "email_taken" | "username_taken" | "invalid_credentials" | "reauthentication_required";

/** Describes the fault of a field by its code, in the reader's language and with the field's label. */
export function faultInWords({ faults, password }: Words, code: string, label: string): string {
  const inWords: Readonly<Partial<Record<Code, string>>> = {
    email_taken: faults.email_taken,
    username_taken: faults.username_taken,
    invalid_username: faults.invalid_username,
    foreign_address: faults.foreign_address,
    invalid_url: faults.invalid_url,
    invalid_credentials: faults.wrong_password,
    reauthentication_required: faults.wrong_password,
    required: faults.required(label),
    invalid_email: faults.invalid_email,
    look_alike_email: faults.look_alike_email,
    too_long: faults.too_long,
    invalid_characters: faults.invalid_characters,
    too_common: password.tooCommon,
    breached_password: password.breached,
    contains_identity: password.containsIdentity,
    missing_upper: password.upper,
    missing_lower: password.lower,
    missing_number: password.number,
    missing_symbol: password.symbol,
  };
  return isCode(code, inWords) ? (inWords[code] ?? faults.other) : faults.other;
}

const isCode = (code: string, known: object): code is Code => Object.hasOwn(known, code);
