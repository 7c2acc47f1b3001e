import { Database as Connection } from "bun:sqlite";
import { hasTable, type Readable } from "./catalogue.ts";
import { bookkeeping, pendingInBackup } from "./migrate.ts";
import { type Migration, MigrationError, readMigrations } from "./migration.ts";
import { readBegun } from "./migration/advance.ts";
import { partsOf, statementsOf } from "./migration/parts.ts";
import { splitStatements } from "./migration/script.ts";

/** The schema of a copy of the database, as far as the copy itself shows it. */
export interface CopyState {
  /** The last migration that was applied to the copy. */
  readonly schema: string;
  /** How the copy's tables, indexes, triggers and views differ from what its own migrations make, in words; empty where they do not. */
  readonly strange: readonly string[];
}

/** A schema that a newer release has migrated is not compared: nobody knows here how it has to be. */
export async function examineCopy(copy: Readable, migrations: readonly Migration[]): Promise<CopyState> {
  if (!(await hasTable(copy, "schema_migrations"))) return { schema: "", strange: [] };
  const rows = await copy.all<{ id: string }>("select id from schema_migrations order by id");
  const known = new Map(readMigrations(migrations, "sqlite").map(({ id, up }) => [id, up]));
  const schema = rows.at(-1)?.id ?? "";
  if (rows.some(({ id }) => !known.has(id))) return { schema, strange: [] };
  const scripts = rows.map(({ id }) => known.get(id) ?? "");
  // A copy that was made while a migration was applied has the parts that were committed by then.
  const begun = await readBegun(copy);
  const parts = partsOf(known.get(begun?.id ?? "") ?? "").slice(0, begun?.parts);
  const statements = [
    ...bookkeeping.map(({ sql }) => sql),
    ...scripts.flatMap(splitStatements),
    ...(begun === undefined ? [] : parts.flatMap(statementsOf)),
  ];
  return { schema, strange: differences(await copy.all<SchemaObject>(schemaQuery), schemaAfter(statements)) };
}

const mostNamed = 10;

/**
 * Returns the migrations that a backup lacks. Rejects with MigrationError as `pendingInBackup` does, and where the backup's schema is not
 * the one that its migrations make: a trigger or a view that somebody has put there would act in the service's name.
 */
export async function checkBackup(
  backup: Readable,
  name: string,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const pending = await pendingInBackup(backup, migrations);
  const { strange } = await examineCopy(backup, migrations);
  if (strange.length === 0) return pending;
  const named = strange.slice(0, mostNamed).join("; ");
  const more = strange.length > mostNamed ? `; and ${strange.length - mostNamed} more` : "";
  throw new MigrationError(
    `the schema of ${name} is not what its migrations make: ${named}${more}. Where you have changed it yourself, undo that in a copy ` +
      "of the file, and take that copy with --unverified",
  );
}

const keyOf = ({ type, name }: SchemaObject): string => `${type} ${name}`;

// SQLite keeps the text of a statement as it was written: how its lines are broken means nothing.
const isSame = (a: SchemaObject, b: SchemaObject): boolean =>
  a.table === b.table && a.sql?.replaceAll(/\s+/g, " ") === b.sql?.replaceAll(/\s+/g, " ");

function differences(found: readonly SchemaObject[], made: readonly SchemaObject[]): readonly string[] {
  const known = new Map(made.map((object) => [keyOf(object), object]));
  const there = new Set(found.map(keyOf));
  return [
    ...found.flatMap((object) => {
      const own = known.get(keyOf(object));
      if (own === undefined) return `${inWords(object)} was made by no migration`;
      return isSame(object, own) ? [] : `${inWords(object)} is not as its migration made it`;
    }),
    ...made.filter((object) => !there.has(keyOf(object))).map((object) => `${inWords(object)} is missing`),
  ];
}

const inWords = ({ type, name, table }: SchemaObject): string =>
  type === "index" || type === "trigger"
    ? `${type} ${JSON.stringify(name)} of table ${JSON.stringify(table)}`
    : `${type} ${JSON.stringify(name)}`;

/** A table, index, trigger or view. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  /** Absent for an index that a constraint of its table has made. */
  readonly sql: string | null;
}

/** SQLite keeps statistics and counters in tables of its own, which come with use and not with a migration. */
const schemaQuery = `select type, name, tbl_name as "table", sql from sqlite_schema
  where not (type = 'table' and name in ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')) order by type, name`;

function schemaAfter(statements: readonly string[]): readonly SchemaObject[] {
  using connection = new Connection(":memory:");
  for (const statement of statements) connection.run(statement);
  return connection.prepare<SchemaObject, []>(schemaQuery).all();
}
