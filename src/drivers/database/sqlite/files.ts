import { Database as Connection, constants } from "bun:sqlite";
import { constants as fs } from "node:fs";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { errorCode } from "../../../core/errors.ts";
import { DatabaseUnavailable } from "../index.ts";

/** Endings of the files that SQLite keeps beside a database that is open or was not closed. */
export const companions = ["-wal", "-shm", "-journal"] as const;

/** The most bytes of a file that SQLite maps. A mapped page costs no read call: those are half of the time that a check takes. */
export const mostMapped = 2_147_418_112;

/** Opens a file that nobody writes: takes no lock, and makes no file beside it. */
export function openImmutable(path: string): Connection {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  const connection = new Connection(`${pathToFileURL(path).href}?immutable=1`, flags);
  connection.run(`pragma mmap_size = ${mostMapped}`);
  return connection;
}

const damaged = (name: string, why: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`${name} is damaged: ${why}`);

/** Reads every page of the file, also those that no table has, and every foreign key, and throws when anything is wrong with them. */
export function checkWhole(connection: Connection, name: string): void {
  const [fault] = connection.prepare<{ quick_check: string }, []>("pragma quick_check(1)").all();
  if (fault?.quick_check !== "ok") throw damaged(name, fault?.quick_check ?? "it can't be checked");
  const [stray] = connection.prepare<{ table: string; parent: string }, []>("pragma foreign_key_check").all();
  if (stray === undefined) return;
  throw damaged(name, `a row of ${stray.table} refers to a row of ${stray.parent} that is not there`);
}

/** Reads every row of a table and looks for it in each index, and throws when anything is wrong with them. */
export function checkTable(connection: Connection, table: string, name: string): void {
  const asked = `pragma integrity_check('${table.replaceAll("'", "''")}')`;
  const [fault] = connection.prepare<{ integrity_check: string }, []>(asked).all();
  if (fault?.integrity_check !== "ok") throw damaged(name, fault?.integrity_check ?? "it can't be checked");
}

/** Gives a finished file its name in one step. Without `replace` a file that has the name already stays, and this rejects. */
export async function publish(from: string, to: string, replace: boolean): Promise<void> {
  await syncFile(from);
  if (replace) await rename(from, to);
  else await linkOrRename(from, to);
  await syncPath(dirname(to), fs.O_RDONLY | fs.O_DIRECTORY);
}

async function linkOrRename(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await rm(from);
  } catch (error) {
    // Some file systems have no links; there the check and the rename are two steps.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(error))) throw error;
    if ((await fileAt(to)) !== undefined) throw Object.assign(new Error(`${to} exists`), { code: "EEXIST" });
    await rename(from, to);
  }
}

/** Waits until the disk has the file. */
export const syncFile = (path: string): Promise<void> => syncPath(path, fs.O_RDWR);

async function syncPath(path: string, flags: number): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns the file's facts; undefined when nothing is there. */
export async function fileAt(path: string) {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
