import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../../../core/errors.ts";
import { newId } from "../../../../core/ids.ts";
import type { CheckOptions } from "../../capabilities.ts";
import { type BackupOptions, DatabaseUnavailable } from "../../index.ts";
import { allOrNone } from "../../../../core/pace/all.or.none.ts";
import { companions, fileAt, publish, syncFile } from "../files.ts";
import { checkInThreads } from "./check.ts";
import { inThread } from "./thread.ts";

const watchedEveryMs = 100;

const failed = (why: string): DatabaseUnavailable => new DatabaseUnavailable(`the backup failed: ${why}`);

/**
 * Makes the copy beside its place in a folder that ends in `.partial`, and gives it its own name once it is checked and on disk: a process
 * that is killed meanwhile leaves no file that could be taken for a backup. Where the copy is stopped, the folder is removed first: SQLite,
 * which its thread still runs for a moment, could make a file again, but not a folder.
 */
export async function backUp(source: string, output: string, options: BackupOptions = {}): Promise<void> {
  const { replace = false, beside, read, signal, onProgress } = options;
  const companion = beside && `${output}${beside.ending}`;
  for (const each of companion === undefined ? [output] : [output, companion]) await checkOutput(source, each, replace);
  const aside = `${output}.${newId()}.partial`;
  const copy = join(aside, "copy.db");
  await makeFolder(aside);
  const watch = onProgress && setInterval(() => onProgress(sizeOf(copy), sizeOf(source)), watchedEveryMs);
  try {
    await inThread({ kind: "copy", source, target: copy }, { signal, failed });
    clearInterval(watch);
    // The disk takes the copy while processors check and hash it: the system may not begin to write it for half a minute by itself.
    await allOrNone(signal, [
      (each) => checkCopy(copy, { ...options, signal: each }),
      (each) => read?.(copy, each),
      () => syncFile(copy),
    ]);
    const second = join(aside, "beside");
    if (beside !== undefined) await writeFile(second, beside.content(), { mode: 0o600 });
    signal?.throwIfAborted();
    if (companion !== undefined && replace) await rm(companion, { force: true });
    await publish(copy, output, replace);
    if (companion !== undefined) await publish(second, companion, true);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw exists(output);
    throw error;
  } finally {
    clearInterval(watch);
    // SQLite may add its journal while the folder is emptied: then the removal is tried again.
    await rm(aside, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** Returns the file's size in bytes; 0 while there is no such file. */
const sizeOf = (path: string): number => Bun.file(path).size;

const exists = (output: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`${output} exists: give another path, or --force to replace it`);

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    throw new DatabaseUnavailable(`the backup failed: ${path} can't be made (${errorCode(error)})`, error);
  }
}

async function checkOutput(source: string, output: string, replace: boolean): Promise<void> {
  const folder = await fileAt(dirname(output));
  if (folder?.isDirectory() !== true) {
    throw new DatabaseUnavailable(`${dirname(output)} is no folder: make it first`);
  }
  for (const own of ["", ...companions].map((end) => `${source}${end}`)) {
    const [kept, wanted] = [await fileAt(own), await fileAt(output)];
    if (kept !== undefined && wanted?.ino === kept.ino && wanted.dev === kept.dev) {
      throw new DatabaseUnavailable(`${output} is the database itself: give another path`);
    }
  }
  const found = await fileAt(output);
  if (found === undefined) return;
  if (!found.isFile()) throw new DatabaseUnavailable(`${output} is no file: give the path of one`);
  if (!replace) throw exists(output);
}

/** Checks a copy that was just made. */
export const checkCopy = (path: string, options: CheckOptions): Promise<void> =>
  checkInThreads({ path, name: path, failed }, options);
