import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Reads JSON that others wrote. Returns undefined for any text that does not match the schema. */
export function jsonAs<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Value.Check(schema, value) ? value : undefined;
}
