export type SqlValue = string | number | null;
/** Named parameters, without their sigil: `{ id }` binds `$id`. */
export type Params = Readonly<Record<string, SqlValue>>;

// Strings, quoted names, comments and dollar-quoted bodies hide what looks like a parameter inside them.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|\$([a-z_]\w*)/gi;

/** Returns the text with each parameter replaced by the result of `replace` for its name. */
export const replaceParameters = (sql: string, replace: (name: string) => string): string =>
  sql.replace(token, (part, _quote: string | undefined, name: string | undefined) =>
    name === undefined ? part : replace(name),
  );

/**
 * Throws where a value is given that the text does not name: SQLite leaves such a value out without a word, and a column that an insert
 * forgets is lost. Drivers ask once for each text, before they keep its statement, since one text always comes with the same names.
 */
export function refuseUnnamed(names: ReadonlySet<string>, params: Params): void {
  const unnamed = Object.keys(params).filter((name) => !names.has(name));
  if (unnamed.length > 0) throw new TypeError(`the statement names no parameter $${unnamed.join(", $")}`);
}
