import type { SQL } from "bun";

// The ids of PostgreSQL's built-in types (pg_type.oid): boolean, bigint, numeric.
const asNumbers: ReadonlySet<string | number> = new Set([16, 20, 1700]);

type Row = Record<string, unknown>;

/** The result of a statement. The caller of the port names the type of the rows; `never` is assignable to each such type. */
export type Returned = never[] & SQL.ResultMetadata;

/**
 * Makes values what they are in SQLite. Integers of 64 bits and sums, which arrive as text so that no digit is lost, become numbers: no
 * column of this service goes beyond 53 bits. Truth values become 0 and 1.
 */
export function convert(returned: Returned): Returned {
  for (const { name, type } of returned.columns ?? []) if (asNumbers.has(type)) replaceAll(returned, name);
  return returned;
}

function replaceAll(rows: readonly Row[], column: string): void {
  for (const row of rows) if (row[column] !== null) row[column] = Number(row[column]);
}
