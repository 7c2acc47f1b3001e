import type { SqlValue } from "../index.ts";

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
  pages(table: Table): AsyncIterable<readonly Row[]>;
  /** Closes the database, and undoes what was not committed. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface CopySource extends CopySide {
  /** Returns at most `limit` values that can't be copied. */
  flaws(table: Table, limit: number): Promise<readonly Flaw[]>;
  /** Returns whether somebody has written to the database since it was opened. Ends the transaction: nothing is read afterwards. */
  wasWritten(): Promise<boolean>;
}

export interface CopyTarget extends CopySide {
  /** Keeps everybody else from writing to these tables from now on, and turns their triggers off: what triggers count is copied as it is. */
  hold(tables: readonly Table[]): Promise<void>;
  clear(table: Table): Promise<void>;
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** Turns the triggers on again, and makes the copy durable. */
  commit(tables: readonly Table[]): Promise<void>;
}

export const pageRows = 2_000;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: Table): string => columns.map(({ name }) => quoted(name)).join(", ");

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
