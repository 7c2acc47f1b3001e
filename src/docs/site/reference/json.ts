export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

// What is missing, or something else, is an empty object, list or text: a reference leaves out what is not said.
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
