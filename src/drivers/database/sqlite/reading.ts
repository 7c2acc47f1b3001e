import { Database as Connection } from "bun:sqlite";
import type { DatabaseReader } from "../index.ts";
import { translate } from "./errors.ts";
import { createReadQueue } from "./reads.ts";

/**
 * Opens a file that another program makes and writes, for a few reads: SQLite itself refuses every write. Nothing is cached, so that the
 * next opening sees a file that was replaced meanwhile. SQLite may leave its two companions beside it.
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
