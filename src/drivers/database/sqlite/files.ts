import { Database as Connection, constants } from "bun:sqlite";
import { constants as fs } from "node:fs";
import { link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { errorCode } from "../../../core/errors.ts";
import { DatabaseUnavailable } from "../index.ts";

/** Endings of the files that SQLite keeps beside a database that is open or was not closed. */
export const companions = ["-wal", "-shm", "-journal"] as const;

/** Opens a file that nobody writes: takes no lock, and makes no file beside it. */
export const openImmutable = (path: string): Connection =>
  new Connection(`${pathToFileURL(path).href}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);

/** Reads every page, index and foreign key of the file, and throws when anything is wrong with them. */
export function checkIntegrity(connection: Connection, path: string): void {
  const [fault] = connection.prepare<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
  if (fault?.integrity_check !== "ok") {
    throw new DatabaseUnavailable(`${path} is damaged: ${fault?.integrity_check ?? "it can't be checked"}`);
  }
  const [stray] = connection.prepare<{ table: string; parent: string }, []>("pragma foreign_key_check").all();
  if (stray === undefined) return;
  throw new DatabaseUnavailable(
    `${path} is damaged: a row of ${stray.table} refers to a row of ${stray.parent} that is not there`,
  );
}

/** Gives a finished file its name in one step. Without `replace` a file that has the name already stays, and this rejects. */
export async function publish(from: string, to: string, replace: boolean): Promise<void> {
  await syncPath(from, fs.O_RDWR);
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
