import { Database as Connection } from "bun:sqlite";
import type { DatabaseReader } from "../index.ts";
import { translate } from "./errors.ts";
import { createReadQueue } from "./reads.ts";

/**
 * Opens a file that another program makes and writes, for a few reads: SQLite itself refuses every write. Nothing is kept of it, so
 * that a file which was replaced meanwhile is the new one at the next opening. SQLite may leave its two companions beside it.
 */
export function openForReading(path: string, name: string): DatabaseReader {
  const translated = (error: unknown): unknown => translate(name, error);
  let connection: Connection;
  try {
    connection = new Connection(path, { strict: true, readonly: true });
  } catch (error) {
    throw translated(error);
  }
  const { get, all, close } = createReadQueue(connection, name, translated, undefined);
  return {
    get,
    all,
    async close() {
      close();
      connection.close(true);
    },
  };
}
