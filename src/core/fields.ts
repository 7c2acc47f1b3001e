/** Everything that can be wrong with a field. Clients translate by these codes: the set is closed, and none is renamed. */
export const fieldCodes = [
  "required",
  "invalid_type",
  "invalid_value",
  "invalid_characters",
  "too_short",
  "too_long",
  "invalid_email",
  "look_alike_email",
  "invalid_username",
  "foreign_address",
  "invalid_url",
  "invalid_timezone",
  "invalid_locale",
  "too_common",
  "breached_password",
  "contains_identity",
  "missing_upper",
  "missing_lower",
  "missing_number",
  "missing_symbol",
] as const;
export type FieldCode = (typeof fieldCodes)[number];

/** A fault of a field. It never holds the value. */
export class FieldFault {
  readonly code: FieldCode;
  /** A predicate, whose subject can be "This", the field's name or a variable. */
  readonly complaint: string;

  constructor(code: FieldCode, complaint: string) {
    this.code = code;
    this.complaint = complaint;
  }
}

export type FieldFaults = Readonly<Record<string, FieldFault>>;

export const isFault = (outcome: unknown): outcome is FieldFault => outcome instanceof FieldFault;

/** Picks the faults from the results of reading several fields. */
export const faultsAmong = (outcomes: Readonly<Record<string, unknown>>): FieldFaults =>
  Object.fromEntries(
    Object.entries(outcomes).flatMap(([field, outcome]) => (isFault(outcome) ? [[field, outcome]] : [])),
  );

const characters = (count: number): string => (count === 1 ? "1 character" : `${count} characters`);

export const missingField = new FieldFault("required", "is required");
export const wrongType = (expected: string): FieldFault => new FieldFault("invalid_type", `must be ${expected}`);
export const tooShort = (least: number): FieldFault =>
  new FieldFault("too_short", `must have at least ${characters(least)}`);
export const tooLong = (most: number): FieldFault =>
  new FieldFault("too_long", `must have at most ${characters(most)}`);
