export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Keywords that mean something to this program and nothing to a reader. */
const internal = new Set(["default", "documented", "setting", "codes"]);

/**
 * Writes the schemas of routes as JSON Schema. A schema with a `title` becomes a component of that name, and others refer to it. The
 * keywords under `documented` are added: readers need them, and answers are not checked by them, such as a format. So are those that the
 * settings of a deployment have under the name in `setting`.
 */
export function createSchemas(settings: Readonly<Record<string, Json>> = {}) {
  const named: Record<string, unknown> = {};

  function write(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(write);
    if (!isJson(schema)) return schema;
    const { title, ...rest } = schema;
    if (typeof title !== "string") return writeKeywords(schema);
    named[title] ??= writeKeywords(rest);
    return { $ref: `#/components/schemas/${title}` };
  }

  function writeKeywords(schema: Json): unknown {
    const { anyOf } = schema;
    if (Array.isArray(anyOf) && anyOf.every((member) => isJson(member) && "const" in member))
      return { ...writeEach(schema, ["anyOf"]), type: "string", enum: anyOf.map((member) => constOf(member)) };
    // A query says true and false as text, which the router reads as a boolean.
    if (Array.isArray(anyOf) && anyOf.some((member) => isJson(member) && member["format"] === "boolean"))
      return { ...writeEach(schema, ["anyOf"]), type: "boolean" };
    return "patternProperties" in schema ? writeRecord(schema) : writeEach(schema, []);
  }

  /** Writes a record with `additionalProperties`, the only keyword for it that generators of clients know. */
  const writeRecord = ({ patternProperties, ...schema }: Json): unknown => ({
    ...writeEach(schema, []),
    additionalProperties: write(Object.values(jsonOf(patternProperties))[0]),
  });

  const writeEach = (schema: Json, without: readonly string[]): Json => ({
    ...Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword]) => !internal.has(keyword) && !without.includes(keyword))
        .map(([keyword, value]) => [keyword, keyword === "properties" ? writeProperties(value) : write(value)]),
    ),
    ...jsonOf(schema["documented"]),
    ...settings[String(schema["setting"])],
  });

  const writeProperties = (properties: unknown): unknown =>
    Object.fromEntries(Object.entries(jsonOf(properties)).map(([name, schema]) => [name, write(schema)]));

  return {
    named,
    /** Returns the schema, or a reference to its component. */
    write: (schema: unknown): unknown => write(JSON.parse(JSON.stringify(schema))),
    /** Makes the schema a component of this name and returns a reference to it. */
    name(name: string, schema: unknown): Json {
      named[name] ??= write(JSON.parse(JSON.stringify(schema)));
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}

export type Schemas = ReturnType<typeof createSchemas>;

const constOf = (member: unknown): unknown => (isJson(member) ? member["const"] : undefined);
