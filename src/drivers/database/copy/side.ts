import type { SqlValue } from "../index.ts";

export interface Column {
  readonly name: string;
  readonly kind: "text" | "integer";
}

export interface Table {
  readonly name: string;
  /** By name, so that two databases list them alike whatever order they keep them in. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The tables that rows of this one refer to. */
  readonly references: readonly string[];
}

/** The values of a row, in the order of the table's columns. */
export type Row = readonly SqlValue[];

/** A value that the other database would not take, or would take for another one. */
export interface Flaw {
  readonly table: string;
  /** The primary key of its row, as text. */
  readonly row: string;
  readonly complaint: string;
}

/** A database that takes part in a copy, in one transaction from the time it is opened. */
export interface CopySide extends AsyncDisposable {
  /** What messages call it: a path, or the address of a server without user and password. */
  readonly location: string;
  tables(): Promise<readonly Table[]>;
  count(table: Table): Promise<number>;
  /** Every row in bounded pages, in the order of the primary key. Texts are in the order of their bytes. */
  pages(table: Table): AsyncIterable<readonly Row[]>;
  /** Closes it, and undoes what was not committed. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface CopySource extends CopySide {
  /** Values that can't be copied, at most `limit`. */
  flaws(table: Table, limit: number): Promise<readonly Flaw[]>;
  /** Whether somebody has written to the database since it was opened. Ends the transaction: nothing is read afterwards. */
  wasWritten(): Promise<boolean>;
}

export interface CopyTarget extends CopySide {
  /** Nobody else can write to these tables from now on, and their triggers do nothing: what they count is copied as it is. */
  hold(tables: readonly Table[]): Promise<void>;
  clear(table: Table): Promise<void>;
  write(table: Table, rows: readonly Row[]): Promise<void>;
  /** Puts the triggers back, and makes the copy durable. */
  commit(tables: readonly Table[]): Promise<void>;
}

/** How many rows are read, or written, at a time. */
export const pageRows = 2_000;

/** A name of the catalogue, as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const columnList = ({ columns }: Table): string => columns.map(({ name }) => quoted(name)).join(", ");
