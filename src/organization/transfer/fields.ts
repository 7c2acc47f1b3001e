import type { Millis } from "../../core/clock.ts";
import { invalidFields } from "../../core/errors.ts";
import { unknownNames, wrongType } from "../../core/fields.ts";
import { bodyOf, type Field } from "../../http/index.ts";

/** Makes a field that may be left out, null or empty. */
export const optional = <T>({ schema, read }: Field<T>): Field<T | undefined> => ({
  schema,
  isOptional: true,
  read: (value) => (value === undefined || value === null || value === "" ? undefined : read(value)),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const timeOf = (text: string | undefined): Millis | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** Makes a function that reads an object of these fields. A misspelt field, or one of another system, must not be lost without a word. */
export function readerOf<F extends Readonly<Record<string, Field<unknown>>>>(what: string, fields: F) {
  const body = bodyOf(fields)["~standard"];
  return async (sent: unknown) => {
    if (!isObject(sent)) throw invalidFields({ [what]: wrongType("an object of JSON") });
    const unknown = unknownNames(
      Object.keys(sent),
      (name) => Object.hasOwn(fields, name),
      `is no field of this ${what}`,
    );
    if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
    return (await body.validate(sent)).value;
  };
}
