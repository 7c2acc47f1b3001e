import { DatabaseUnavailable, type SqlValue } from "../index.ts";

export interface Column {
  readonly name: string;
  readonly kind: "text" | "integer";
}

export interface Table {
  readonly name: string;
  /** Columns sorted by name, so that two databases list them alike whatever order they keep them in. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly references: readonly string[];
}

/** The values of a row, in the order of the table's columns. */
export type Row = readonly SqlValue[];

/** Rows as PostgreSQL's COPY writes them in its text format: a line each, with tabs between the values. Different rows have different lines. */
export interface Page {
  /** A text, or its bytes in UTF-8. */
  readonly lines: string | Uint8Array;
  readonly rows: number;
}

/** A value that the other database refuses, or reads as another value. */
export interface Flaw {
  readonly table: string;
  /** The primary key of the row, as text. */
  readonly row: string;
  readonly complaint: string;
}

/** A database that takes part in a copy, in one transaction from the time it is opened. */
export interface CopySide extends AsyncDisposable {
  /** The side's name in messages: a path, or the address of a server without user and password. */
  readonly location: string;
  tables(): Promise<readonly Table[]>;
  count(table: Table): Promise<number>;
  /** Returns every row in bounded pages, in the order of the primary key. Texts are in the order of their bytes. */
  pages(table: Table): AsyncIterable<Page>;
  /** Closes the database, and undoes what was not committed. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A database that nobody else uses: opening it rejects where somebody does, and nobody can write to it until it is closed. */
export interface CopySource extends CopySide {
  /** Returns at most `limit` values that can't be copied. */
  flaws(table: Table, limit: number): Promise<readonly Flaw[]>;
}

export interface CopyTarget extends CopySide {
  /** Keeps everybody else from writing to these tables from now on. */
  hold(tables: readonly Table[]): Promise<void>;
  /**
   * Takes off, for as long as rows are written, what costs more row by row than once for all of them: indexes and references. Triggers as
   * well: what they count is copied as it is.
   */
  strip(tables: readonly Table[]): Promise<void>;
  clear(table: Table): Promise<void>;
  write(table: Table, page: Page): Promise<void>;
  /** Puts back what was taken off, which checks every row once more, and calls `onStep` before each part of it. */
  dress(tables: readonly Table[], onStep: (done: number, total: number) => void): Promise<void>;
  /** Makes the copy durable. */
  commit(): Promise<void>;
}

export const pageRows = 2_000;

/** The refusal of a source that somebody has open: what it writes during the copy, or after it, would be lost. */
export const inUse = (location: string, who = "", cause?: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable(
    `${location} is in use: ${who}stop every process that has it open (HTTP, worker, scheduler, admin), then copy again. ` +
      "Nothing was copied",
    cause,
  );

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: Table): string => columns.map(({ name }) => quoted(name)).join(", ");

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};
const special = /[\\\b\f\n\r\t\v]/;
const specials = /[\\\b\f\n\r\t\v]/g;
const escaped = /\\(.)/g;
const characters = new Map(Object.entries(escapes).map(([character, escape]) => [escape.slice(1), character]));

const valueText = (value: Row[number]): string => {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  return special.test(value) ? value.replace(specials, (character) => escapes[character] ?? character) : value;
};

/** Writes rows as PostgreSQL's COPY does. */
export function pageOf(rows: readonly Row[]): Page {
  let lines = "";
  for (const row of rows) lines += `${row.map(valueText).join("\t")}\n`;
  return { lines, rows: rows.length };
}

/** Reads the rows of a page. */
export function rowsOf({ lines }: Page, { columns }: Pick<Table, "columns">): readonly Row[] {
  const text = typeof lines === "string" ? lines : new TextDecoder().decode(lines);
  const isNumber = columns.map(({ kind }) => kind === "integer");
  const valueAt = (value: string, at: number): SqlValue => {
    if (value === "\\N") return null;
    if (isNumber[at] === true) return Number(value);
    return value.includes("\\") ? value.replace(escaped, (_, name: string) => characters.get(name) ?? name) : value;
  };
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t").map(valueAt));
}
