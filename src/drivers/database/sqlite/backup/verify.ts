import type { Database as Connection } from "bun:sqlite";
import { translate } from "../errors.ts";
import { openImmutable } from "../files.ts";
import type { Readable } from "../../catalogue.ts";
import type { TableRows, VerifyOptions } from "../../driver.ts";
import { checkInThreads } from "./check.ts";
import { noParams } from "../statements.ts";

const readerOf = (connection: Connection): Readable => ({
  dialect: "sqlite",
  all: async (sql, params = noParams) => connection.prepare<never, [typeof params]>(sql).all(params),
});

/** Shows a file that nobody writes to the function `look`, without reading all of it. */
export async function examine<T>(path: string, look: (backup: Readable) => Promise<T>): Promise<T> {
  try {
    using connection = openImmutable(path);
    return await look(readerOf(connection));
  } catch (error) {
    throw translate(path, error);
  }
}

/** Checks a file that nobody writes, page by page, shows it to `check`, and counts its rows. */
export async function verify({ input, name, check, ...checking }: VerifyOptions): Promise<readonly TableRows[]> {
  await checkInThreads({ path: input, name }, checking);
  try {
    using connection = openImmutable(input);
    await check(readerOf(connection));
    const tables = connection
      .prepare<{ name: string }, []>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
      )
      .all();
    return tables.map(({ name: table }) => {
      const quoted = `"${table.replaceAll('"', '""')}"`;
      const counted = connection.prepare<{ rows: number }, []>(`select count(*) as rows from ${quoted}`).get();
      return { table, rows: counted?.rows ?? 0 };
    });
  } catch (error) {
    throw translate(name, error);
  }
}
