type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const union = (types: readonly string[]): string => (types.length === 0 ? "never" : `(${types.join(" | ")})`);

/** Returns the value at that path of a document: `at(document, "paths", "/login", "post")`. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** Returns the schema of an OpenAPI document as a TypeScript type. `leaveOut` names properties of the outermost object. */
export function typeOf(document: unknown, schema: unknown, leaveOut: readonly string[] = []): string {
  if (!isObject(schema)) return "unknown";
  const { $ref: reference, type, anyOf, oneOf, allOf, enum: values, const: constant } = schema;
  const inner = (each: unknown): string => typeOf(document, each, leaveOut);
  if (typeof reference === "string") return inner(at(document, ...reference.split("/").slice(1)));
  if ("const" in schema) return JSON.stringify(constant);
  if (values !== undefined) return union(listOf(values).map((value) => JSON.stringify(value)));
  if (anyOf !== undefined || oneOf !== undefined) return union(listOf(anyOf ?? oneOf).map(inner));
  if (allOf !== undefined) return `(${listOf(allOf).map(inner).join(" & ")})`;
  if (Array.isArray(type)) return union(type.map((each: unknown) => inner({ ...schema, type: each })));
  if (type === "array") return `${typeOf(document, schema["items"])}[]`;
  if (type === "object") return objectType(document, schema, leaveOut);
  return type === "integer" ? "number" : typeof type === "string" ? type : "unknown";
}

function objectType(document: unknown, schema: Json, leaveOut: readonly string[]): string {
  const { properties, required, additionalProperties, patternProperties } = schema;
  if (!isObject(properties)) {
    const [values] = isObject(patternProperties) ? Object.values(patternProperties) : [additionalProperties];
    if (values === true) return "Record<string, unknown>";
    return isObject(values) ? `Record<string, ${typeOf(document, values)}>` : "object";
  }
  const members = Object.entries(properties)
    .filter(([name]) => !leaveOut.includes(name))
    .map(([name, each]) => `"${name}"${listOf(required).includes(name) ? "" : "?"}: ${typeOf(document, each)};`);
  return `{ ${members.join(" ")} }`;
}
