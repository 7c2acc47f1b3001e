/** Everything that can be wrong with a field. Clients translate by these codes: the set is closed, and none is renamed. */
export const fieldCodes = [
  "required",
  "invalid_type",
  "invalid_value",
  "invalid_characters",
  "too_short",
  "too_long",
  "too_large",
  "too_deep",
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
  "authenticator_not_allowed",
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

/** How many unknown names an error tells, and how much of each: a request may have any number of them, of any length. */
const mostUnknownNamed = 5;
const longestName = 64;

/** Returns a fault for each of the names that is none of the known ones, up to a bound: `complaint` says what it is not. */
export const unknownNames = (
  names: Iterable<string>,
  isKnown: (name: string) => boolean,
  complaint: string,
): FieldFaults =>
  Object.fromEntries(
    [...names]
      .filter((name) => !isKnown(name))
      .slice(0, mostUnknownNamed)
      .map((name) => [name.slice(0, longestName), new FieldFault("invalid_value", complaint)]),
  );

const characters = (count: number): string => (count === 1 ? "1 character" : `${count} characters`);

export const missingField = new FieldFault("required", "is required");
export const wrongType = (expected: string): FieldFault => new FieldFault("invalid_type", `must be ${expected}`);
export const tooShort = (least: number): FieldFault =>
  new FieldFault("too_short", `must have at least ${characters(least)}`);
export const tooLong = (most: number): FieldFault =>
  new FieldFault("too_long", `must have at most ${characters(most)}`);
