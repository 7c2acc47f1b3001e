import type { Words } from "../shared/words/index.ts";

interface Fault {
  readonly code: string;
  readonly message: string;
}

/** What the server says is wrong with a field, in the reader's language and in the words of its label. */
export function faultInWords({ faults, password }: Words, { code }: Fault, label: string): string {
  switch (code) {
    case "required":
      return faults.required(label);
    case "invalid_email":
      return faults.invalid_email;
    case "too_long":
      return faults.too_long;
    case "invalid_characters":
      return faults.invalid_characters;
    case "too_common":
      return password.tooCommon;
    case "contains_identity":
      return password.containsIdentity;
    case "missing_upper":
      return password.upper;
    case "missing_lower":
      return password.lower;
    case "missing_number":
      return password.number;
    case "missing_symbol":
      return password.symbol;
    default:
      return faults.other;
  }
}
