import { invalidFields } from "../../core/errors.ts";
import {
  FieldFault,
  faultsAmong,
  missingField,
  tooLong,
  unknownNames,
  wrongType,
  type FieldFaults,
} from "../../core/fields.ts";
import { readPassword, readText } from "../../core/text/text.ts";
import { UnreadBody } from "./body.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** One field of a body: its entry in the API reference, and the way from the sent value to the used one. */
export interface Field<T> {
  readonly schema: JsonSchema;
  readonly isOptional?: boolean;
  /** Returns the value for the route. `undefined` stands for a field that was not sent. */
  read(value: unknown): T | FieldFault;
}

interface TextOptions {
  /** The most characters of the text. */
  readonly most: number;
  /** Whether the text may be empty. Otherwise an empty text counts as not given: a form sends its empty fields too. */
  readonly mayBeEmpty?: boolean;
  /** A further rule for the text; returns the form in which the text is kept. */
  readonly rule?: (text: string) => string | FieldFault;
  /** Keywords that the API reference adds. */
  readonly schema?: JsonSchema;
}

// Control characters and line breaks, written for regular expressions that may not know \p{Cc}.
const inLine = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
/** One line of text with at least one character that is no space. */
const filledLine = `^[^${inLine}]*[^\\s${inLine}][^${inLine}]*$`;
const line = `^[^${inLine}]*$`;

const stringSchema = ({ most, mayBeEmpty, schema }: TextOptions): JsonSchema => ({
  type: "string",
  ...(mayBeEmpty === true ? {} : { minLength: 1 }),
  maxLength: most,
  ...schema,
});

/** A closed set of values needs neither lengths nor a pattern. */
const lineSchema = (options: TextOptions): JsonSchema =>
  options.schema?.["enum"] === undefined
    ? { pattern: options.mayBeEmpty === true ? line : filledLine, ...stringSchema(options) }
    : { type: "string", ...options.schema };

/** Returns the pattern of a text that may also be empty or consist of spaces. */
const orBlank = (pattern: unknown): string =>
  typeof pattern !== "string" || pattern === filledLine ? line : `^\\s*$|${pattern}`;

/** A character of NFC takes up to 8 UTF-16 units when decomposed, and a text may have 64 units of spaces around it. */
const [unitsOfCharacter, outerSpaces] = [8, 64];
/** The longest text of any field, in UTF-16 units. */
const mostUnits = 4096;

function readString(
  value: unknown,
  normalise: (value: string) => string | FieldFault,
  { most, mayBeEmpty, rule }: TextOptions,
): string | FieldFault {
  if (value === undefined) return missingField;
  if (typeof value !== "string") return wrongType("a string");
  // Normalising takes time that grows with the text, so a text that can't fit is refused first.
  if (value.length > Math.min(unitsOfCharacter * most + outerSpaces, mostUnits)) return tooLong(most);
  const text = normalise(value);
  if (text instanceof FieldFault) return text;
  if (text === "" && mayBeEmpty !== true) return missingField;
  if ([...text].length > most) return tooLong(most);
  return rule === undefined ? text : rule(text);
}

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

/** The kinds of fields. */
export const field = {
  /** One line of text: trimmed, NFC, without control characters. */
  text: (options: TextOptions): Field<string> => ({
    schema: lineSchema(options),
    read: (value) => readString(value, readText, options),
  }),

  /** A password, with every character that was given. */
  password: (options: TextOptions): Field<string> => ({
    schema: { ...stringSchema(options), format: "password" },
    read: (value) => readString(value, readPassword, options),
  }),

  flag: (schema: JsonSchema = {}): Field<boolean> => ({
    schema: { type: "boolean", ...schema },
    read: (value) =>
      value === undefined ? missingField : typeof value === "boolean" ? value : wrongType("true or false"),
  }),

  /** A list of values of one kind. `more` adds keywords to the API reference. */
  list: <T>({ schema, read }: Field<T>, most: number, more: JsonSchema = {}): Field<readonly T[]> => ({
    schema: { type: "array", items: schema, maxItems: most, ...more },
    read(value) {
      if (value === undefined) return missingField;
      if (!Array.isArray(value)) return wrongType("a list");
      if (value.length > most) return new FieldFault("too_long", `must have at most ${most} entries`);
      const items: T[] = [];
      for (const item of value) {
        const outcome = read(item);
        if (outcome instanceof FieldFault) return outcome;
        items.push(outcome);
      }
      return items;
    },
  }),

  /** A field that may be left out. */
  optional: <T>({ schema, read }: Field<T>): Field<T | undefined> => ({
    schema,
    isOptional: true,
    read: (value) => (value === undefined ? undefined : read(value)),
  }),

  /** A text that may be left out; spaces alone count as left out. */
  blankable: ({ schema, read }: Field<string>): Field<string | undefined> => ({
    schema: { ...schema, minLength: 0, pattern: orBlank(schema["pattern"]) },
    isOptional: true,
    read: (value) => (value === undefined || isBlank(value) ? undefined : read(value)),
  }),

  /** A text that may be left out; `null` and spaces alone empty it. */
  emptiable: ({ schema, read }: Field<string>): Field<string | null | undefined> => ({
    schema: { ...schema, type: ["string", "null"], minLength: 0, pattern: orBlank(schema["pattern"]) },
    isOptional: true,
    read: (value) => (value === undefined ? undefined : value === null || isBlank(value) ? null : read(value)),
  }),
};

type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

interface BodyOptions<F extends Fields> {
  /** Refuses fields that the body does not have, as a program is told that it has misspelt one. Default: they are dropped. */
  readonly isStrict?: boolean;
  readonly description?: string;
  readonly example?: Partial<Values<F>>;
  /** Fields of which the route needs the first or the second ones, for the API reference: the route itself refuses a body without both. */
  readonly either?: readonly [first: readonly (keyof F)[], second: readonly (keyof F)[]];
}

/** The `body` of a route, a Standard Schema (standardschema.dev) that Elysia asks for the values of each request. */
interface Body<T> {
  readonly schema: JsonSchema;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "gatehouse";
    readonly types?: { readonly input: unknown; readonly output: T };
    /** Throws `invalid_payload` with the fault of each wrong field. */
    validate(value: unknown): { readonly value: T } | Promise<{ readonly value: T }>;
  };
}

const areSound = <F extends Fields>(fields: F, values: object): values is Partial<Values<F>> =>
  Object.keys(values).every((name) => Object.hasOwn(fields, name));

const areWhole = <F extends Fields>(fields: F, values: object): values is Values<F> =>
  areSound(fields, values) && Object.keys(fields).every((name) => Object.hasOwn(values, name));

const schemaOf = <F extends Fields>(
  fields: F,
  { description, example, isStrict, either }: BodyOptions<F>,
): JsonSchema => {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isOptional }]) => isOptional !== true).map(([name]) => name);
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    ...(isStrict === true ? { additionalProperties: false } : {}),
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    // Not as `anyOf`, of which some generators of clients make a type for each of its members.
    ...(either === undefined ? {} : { if: { required: either[0] }, else: { required: either[1] } }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
};

/**
 * Makes a JSON body of these fields; other fields are dropped, or refused where it is strict. A refused body names every field at fault. For fields that are sound in
 * themselves, `complete` adds the faults that the route would find. It is called for refused bodies only: in a sound body the route itself
 * finds such faults.
 */
export function bodyOf<F extends Fields>(
  fields: F,
  options: BodyOptions<F> = {},
  complete?: (sound: Partial<Values<F>>) => FieldFaults | Promise<FieldFaults>,
): Body<Values<F>> {
  async function refuse(outcomes: readonly (readonly [string, unknown])[], unknown: FieldFaults): Promise<never> {
    const sound = Object.fromEntries(outcomes.filter(([, outcome]) => !(outcome instanceof FieldFault)));
    const besides = areSound(fields, sound) ? await complete?.(sound) : {};
    throw invalidFields({ ...besides, ...unknown, ...faultsAmong(Object.fromEntries(outcomes)) });
  }
  const unknownIn = (names: Iterable<string>): FieldFaults =>
    options.isStrict === true
      ? unknownNames(names, (name) => Object.hasOwn(fields, name), "is no field of this request")
      : {};
  return {
    schema: schemaOf(fields, options),
    "~standard": {
      version: 1,
      vendor: "gatehouse",
      validate(sent) {
        const body = sent instanceof UnreadBody ? sent.read() : sent;
        const given = new Map(typeof body === "object" && body !== null ? Object.entries(body) : []);
        const unknown = unknownIn(given.keys());
        const outcomes = Object.entries(fields).map(([name, { read }]) => [name, read(given.get(name))] as const);
        const values = Object.fromEntries(outcomes);
        const isFaulty = outcomes.some(([, outcome]) => outcome instanceof FieldFault);
        return isFaulty || Object.keys(unknown).length > 0 || !areWhole(fields, values)
          ? refuse(outcomes, unknown)
          : { value: values };
      },
    },
  };
}
