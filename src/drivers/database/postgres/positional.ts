import type { Params, SqlValue } from "../index.ts";

/** A statement as PostgreSQL takes it: `$1`, `$2` in place of `$name`. */
export interface PositionalStatement {
  readonly text: string;
  /** The values of the placeholders, in their order. Throws where one is not given. */
  readonly bind: (params: Params) => SqlValue[];
  /** Whether its first word says that it only reads. */
  readonly reads: boolean;
  /** Whether its first word says that it may share a transaction: a clean-up deletes many rows, and what changes tables waits for all. */
  readonly isShort: boolean;
}

// Strings, quoted names, comments and dollar-quoted bodies hide what looks like a parameter inside them.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|\$([a-z_]\w*)/gi;
const limit = 1_024;
/**
 * PostgreSQL refuses every statement with this character in a value. Fields of a request never have it. What comes from elsewhere, such
 * as the text of an error, is kept with the replacement character in its place; a search for it finds nothing, as in SQLite.
 */
const nul = "\0";

/** Reads each text once. The oldest goes beyond the limit. */
export function createPositionalCache(): (sql: string) => PositionalStatement {
  const cached = new Map<string, PositionalStatement>();
  return (sql) => {
    const known = cached.get(sql);
    if (known !== undefined) return known;
    const statement = toPositional(sql);
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

function toPositional(sql: string): PositionalStatement {
  const names: string[] = [];
  const text = sql.replace(token, (part, _quote: string | undefined, name: string | undefined) => {
    if (name === undefined) return part;
    const known = names.indexOf(name);
    return `$${known === -1 ? names.push(name) : known + 1}`;
  });
  return {
    text,
    reads: /^\s*(?:select|with)\b/i.test(sql),
    isShort: /^\s*(?:insert|update)\b/i.test(sql),
    bind: (params) =>
      names.map((name) => {
        const value = params[name];
        if (value === undefined) throw new TypeError(`the parameter $${name} is not given`);
        return typeof value === "string" && value.includes(nul) ? value.replaceAll(nul, "\ufffd") : value;
      }),
  };
}
