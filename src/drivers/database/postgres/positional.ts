import { type Params, refuseUnnamed, replaceParameters, type SqlValue } from "../parameters.ts";

const limit = 1_024;
/**
 * PostgreSQL refuses every statement with this character in a value. Fields of a request never have it. Values from elsewhere, such as the
 * text of an error, are kept with the replacement character in its place; a search for it finds nothing, as in SQLite.
 */
const nul = "\0";

/** Reads each text once, with the parameters that it first comes with. Beyond the limit the oldest text is dropped. */
export function createPositionalCache() {
  const cached = new Map<string, ReturnType<typeof toPositional>>();
  return (sql: string, params: Params) => {
    const known = cached.get(sql);
    if (known !== undefined) return known;
    const statement = toPositional(sql, params);
    if (cached.size >= limit) {
      for (const oldest of cached.keys()) {
        cached.delete(oldest);
        break;
      }
    }
    cached.set(sql, statement);
    return statement;
  };
}

/** Writes a statement as PostgreSQL takes it: `$1`, `$2` in place of `$name`. */
function toPositional(sql: string, params: Params) {
  const names: string[] = [];
  const text = replaceParameters(sql, (name) => {
    const known = names.indexOf(name);
    return `$${known === -1 ? names.push(name) : known + 1}`;
  });
  refuseUnnamed(new Set(names), params);
  return {
    text,
    /** Whether the first word of the statement says that it only reads. */
    reads: /^\s*(?:select|with)\b/i.test(sql),
    /**
     * Whether the first word says that the statement may share a transaction. A clean-up may not, since it deletes many rows; nor may a
     * change of tables, since it waits for everybody.
     */
    isShort: /^\s*(?:insert|update)\b/i.test(sql),
    /** Returns the values of the placeholders, in their order. Throws where one is not given. */
    bind: (params: Params): SqlValue[] =>
      names.map((name) => {
        const value = params[name];
        if (value === undefined) throw new TypeError(`the parameter $${name} is not given`);
        return typeof value === "string" && value.includes(nul) ? value.replaceAll(nul, "\ufffd") : value;
      }),
  };
}
