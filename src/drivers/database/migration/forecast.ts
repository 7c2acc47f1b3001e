import { hasTable } from "../catalogue.ts";
import type { Database, Dialect } from "../index.ts";
import type { KnownMigration } from "../migration.ts";
import { type Part, partsOf } from "./parts.ts";

/** What applying migrations to a database will take, by the rows that its tables have now. */
export interface Forecast {
  /** How many migrations there are to apply. */
  readonly count: number;
  readonly dialect: Dialect;
  readonly seconds: number;
  /** The tables that are gone through, largest first. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** For how long writes wait at most, one at a time, and what makes them wait; undefined where none does. */
  readonly longest: { readonly id: string; readonly what: string; readonly seconds: number } | undefined;
}

type Work = "whole index" | "partial index" | "rows";

/**
 * Seconds for a million rows, measured on two processor cores that served requests at the same time. On a server an index is built beside
 * writes, which takes two looks at the table.
 */
const secondsOfMillion: Readonly<Record<Dialect, Readonly<Record<Work, number>>>> = {
  sqlite: { "whole index": 0.4, "partial index": 0.25, rows: 1.5 },
  postgres: { "whole index": 4, "partial index": 1.5, rows: 4 },
};
const million = 1_000_000;

const workOf = (part: Part): Work | undefined => {
  if (part.kind === "batch") return undefined;
  if (part.kind === "rows") return "rows";
  return part.partial ? "partial index" : "whole index";
};

const tablesOf = (part: Part): readonly string[] => {
  if (part.kind === "batch") return [];
  return part.kind === "rows" ? part.from : [part.table];
};

/** `beside`: indexes are built beside writes. */
export async function forecast(
  database: Database,
  open: readonly KnownMigration[],
  beside: boolean,
): Promise<Forecast> {
  const counts = new Map<string, number>();
  let seconds = 0;
  let longest: Forecast["longest"];
  for (const { id, up } of open)
    for (const part of partsOf(up)) {
      const work = workOf(part);
      if (work === undefined) continue;
      let rows = 0;
      for (const table of tablesOf(part)) {
        const known = counts.get(table) ?? (await countRows(database, table));
        counts.set(table, known);
        rows += known;
      }
      const takes = (rows / million) * secondsOfMillion[database.dialect][work];
      const locks = part.kind === "index" && !beside;
      // A writer has its turn after each lock, for as long as that was held.
      seconds += locks ? 2 * takes : takes;
      if (part.kind === "index" && locks && takes > (longest?.seconds ?? 0))
        longest = { id, what: part.name, seconds: takes };
    }
  const tables = [...counts].map(([table, rows]) => ({ table, rows })).filter(({ rows }) => rows > 0);
  return {
    count: open.length,
    dialect: database.dialect,
    seconds,
    tables: tables.toSorted((a, b) => b.rows - a.rows),
    longest,
  };
}

/** Rows of a table; none of one that an earlier migration has yet to make. A server knows about how many there are without counting them. */
async function countRows(database: Database, table: string): Promise<number> {
  if (!(await hasTable(database, table))) return 0;
  if (database.dialect === "postgres") {
    const [about] = await database.all<{ rows: number }>(
      `select cast(sum(greatest(reltuples, 0)) as bigint) as rows from pg_class
       where relkind = 'r' and (oid = to_regclass($table) or oid in (select inhrelid from pg_inherits where inhparent = to_regclass($table)))`,
      { table },
    );
    if (about !== undefined && about.rows > 0) return about.rows;
  }
  const [counted] = await database.all<{ rows: number }>(`select count(*) as rows from ${table}`);
  return counted?.rows ?? 0;
}
