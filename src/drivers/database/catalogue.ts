import { type Database, DatabaseUnavailable, type Dialect } from "./index.ts";

/** What can be asked of a database that is only read, such as a backup. */
export type Readable = Pick<Database, "all" | "dialect">;

const lookUp: Readonly<Record<Dialect, string>> = {
  sqlite: "select 1 as found from sqlite_schema where type = 'table' and name = $table",
  postgres: "select 1 as found where to_regclass($table) is not null",
};

/** Returns whether a table exists, so that pending migrations can be listed without creating the table that records them. */
export const hasTable = async (database: Readable, table: string): Promise<boolean> =>
  (await database.all(lookUp[database.dialect], { table })).length > 0;

const orderOfBytes =
  "it sorts text by the rules of a language, and the service counts on the order of bytes: make the database with LOCALE 'C' TEMPLATE template0";
const allOfUnicode =
  "it does not keep its text in UTF-8, and names would be refused: make the database with ENCODING 'UTF8' TEMPLATE template0";

/**
 * Rejects where the database does not sort text by its bytes: pages of lists and searches by a beginning need that. Every database of SQLite
 * does.
 */
export async function checkTextOrder(database: Readable): Promise<void> {
  if (database.dialect === "sqlite") return;
  const refusal = (why: string) => new DatabaseUnavailable(`database "default": ${why}`);
  const [text] = await database.all<{ utf8: number }>("select current_setting('server_encoding') = 'UTF8' as utf8");
  if (text?.utf8 !== 1) throw refusal(allOfUnicode);
  const [order] = await database.all<{ bytes: number }>("select 'Z' < 'a' and 'a b' < 'a!' and '~' < 'é' as bytes");
  if (order?.bytes !== 1) throw refusal(orderOfBytes);
}
