import type { WantedIndex } from "../capabilities.ts";
import { splitStatements } from "./script.ts";

/** An index of a table that was there before the migration. */
export interface IndexPart extends WantedIndex {
  readonly kind: "index";
  /** Whether it has a condition, which most rows do not meet. */
  readonly partial: boolean;
}

/** Rows that are read from whole tables, and then written. */
export interface RowsPart {
  readonly kind: "rows";
  readonly table: string;
  readonly columns: readonly string[];
  readonly select: string;
  /** The tables that are read. */
  readonly from: readonly string[];
}

/** A part of a migration that is committed by itself. */
export type Part = { readonly kind: "batch"; readonly statements: readonly string[] } | IndexPart | RowsPart;

const comments = /^(?:\s*--[^\n]*\n)*\s*/;
/** The line of a script behind which a statement reads ahead, in words that a comment would not have by chance. */
const readsAhead = /^\s*--\s*reads ahead\s*$/m;
const createsIndex = /^create\s+(?:unique\s+)?index\s+(\w+)\s+on\s+(\w+)/i;
const createsTable = /^create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/i;
const insertsRows = /^insert\s+into\s+(\w+)\s*\(([\w\s,]+)\)\s*(select\b[\s\S]*)$/i;

/**
 * Returns the parts of a script, in its order. An index of a table that the script has not made is one, because building it takes as long as
 * the table is: so no lock is held for longer than one index takes. A statement behind a line `-- reads ahead` is one as well.
 * All that is between two of these is one part.
 */
export function partsOf(script: string): readonly Part[] {
  const parts: Part[] = [];
  const made = new Set<string>();
  let together: string[] = [];

  function finish(): void {
    if (together.length > 0) parts.push({ kind: "batch", statements: together });
    together = [];
  }

  for (const text of splitStatements(script)) {
    const statement = text.replace(comments, "");
    const table = createsTable.exec(statement)?.[1];
    if (table !== undefined) made.add(table);
    const apart = readsAhead.test(text.slice(0, text.length - statement.length))
      ? toRows(statement)
      : toIndex(statement);
    if (apart === undefined || (apart.kind === "index" && made.has(apart.table))) {
      together.push(text);
      continue;
    }
    finish();
    parts.push(apart);
  }
  finish();
  return parts;
}

function toIndex(statement: string): IndexPart | undefined {
  const [, name, table] = createsIndex.exec(statement) ?? [];
  if (name === undefined || table === undefined) return undefined;
  return { kind: "index", name, table, statement, partial: /\)\s*where\b/i.test(statement) };
}

function toRows(statement: string): RowsPart {
  const [, table, columns, select] = insertsRows.exec(statement) ?? [];
  if (table === undefined || columns === undefined || select === undefined)
    throw new TypeError("what reads ahead is an insert of selected rows");
  const from = new Set([...select.matchAll(/\bfrom\s+(\w+)/gi)].map(([, name = ""]) => name));
  from.delete(table);
  return { kind: "rows", table, columns: columns.split(",").map((name) => name.trim()), select, from: [...from] };
}

/** What a part does to the schema, as one transaction can do it. */
export function statementsOf(part: Part): readonly string[] {
  switch (part.kind) {
    case "batch":
      return part.statements;
    case "index":
      return [part.statement];
    case "rows":
      return [];
  }
}
