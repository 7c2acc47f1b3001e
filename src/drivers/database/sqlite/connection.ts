import { Database as Connection } from "bun:sqlite";
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { absentDatabase, DatabaseUnavailable } from "../index.ts";

const openingWaitMs = 5_000;
const openingTries = 3;

/**
 * Opens one connection for both reads and writes: a commit on any other connection, even one of the same process, empties the cache of this
 * one and unmaps its file. An absent file is created with access for its owner only. Returns the number of the file beside the connection,
 * so that a replaced or deleted file is noticed.
 */
export function openConnection(path: string, create: boolean) {
  if (path === "" || path.startsWith(":") || path.startsWith("file:")) {
    throw new Error(`the sqlite driver needs the path of a file, not "${path}"`);
  }
  for (let tries = 1; tries <= openingTries; tries += 1) {
    const opened = openOnce(path, create);
    if (opened !== undefined) return opened;
  }
  throw new DatabaseUnavailable(`${path} was replaced while it was opened: try again`);
}

/** Undefined when a restore has put another file at the path meanwhile: then nobody knows which of the two is open. */
function openOnce(path: string, create: boolean) {
  prepareFile(path, create);
  const { ino } = statSync(path, { bigint: true });
  const connection = new Connection(path, { strict: true, readwrite: true, create: false });
  try {
    connection.run(`pragma busy_timeout = ${openingWaitMs}`);
    const mode = connection.prepare<{ journal_mode: string }, []>("pragma journal_mode = wal").get();
    if (mode?.journal_mode !== "wal") {
      throw new DatabaseUnavailable(`${path}: write-ahead logging is not possible on this file system`);
    }
    for (const pragma of [
      "synchronous = full",
      "foreign_keys = on",
      "trusted_schema = off",
      "cache_size = -16000",
      // The most that SQLite maps: a mapped page costs no read call.
      "mmap_size = 2147418112",
      "journal_size_limit = 67108864",
      // A checkpoint holds the event loop: a quarter of the usual size, four times as often (140 ms before, 21 ms after).
      "wal_autocheckpoint = 250",
      // No busy timeout: the write queue waits for a lock with timers instead, so that the event loop goes on.
      "busy_timeout = 0",
    ]) {
      connection.run(`pragma ${pragma}`);
    }
    if (statSync(path, { bigint: true }).ino === ino) return { connection, inode: ino };
    connection.close(true);
    return undefined;
  } catch (error) {
    connection.close(true);
    throw error;
  }
}

function prepareFile(path: string, create: boolean): void {
  try {
    if (!existsSync(path)) {
      if (!create) throw absentDatabase(path);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      closeSync(openSync(path, "a", 0o600));
    }
    if (statSync(path).isDirectory()) throw new DatabaseUnavailable(`${path} is a folder, not a database`);
    // SQLite opens a file that it can't write to for reading, and fails only at the first write. The log lies in the folder, so that must
    // be writable, too.
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnavailable(`${path} can't be opened for writing: ${why}`, error);
  }
}
