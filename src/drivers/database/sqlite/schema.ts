import { Database as Connection } from "bun:sqlite";

/** A table, index, trigger or view. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  /** Absent for an index that a constraint of its table has made. */
  readonly sql: string | null;
}

/** SQLite keeps statistics and counters in tables of its own, which come with use and not with a migration. */
export const schemaQuery = `select type, name, tbl_name as "table", sql from sqlite_schema
  where not (type = 'table' and name in ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')) order by type, name`;

/** Returns the schema that an empty database has after these statements. */
export function schemaAfter(statements: readonly string[]): readonly SchemaObject[] {
  using connection = new Connection(":memory:");
  for (const statement of statements) connection.run(statement);
  return connection.prepare<SchemaObject, []>(schemaQuery).all();
}
