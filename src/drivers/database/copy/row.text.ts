import type { Row } from "./side.ts";

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const special = /[\\\n\r\t]/;
const specials = /[\\\n\r\t]/g;

const valueText = (value: Row[number]): string => {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  return special.test(value) ? value.replace(specials, (character) => escapes[character] ?? character) : value;
};

/** Writes rows in the text format of PostgreSQL's COPY: a line each, with tabs between the values. Different rows have different texts. */
export const rowsText = (rows: readonly Row[]): string =>
  rows.map((row) => `${row.map(valueText).join("\t")}\n`).join("");
