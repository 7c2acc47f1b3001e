import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hour, type Millis } from "../../core/clock.ts";
import { errorCode } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { chunksOf, type Content, type PutOptions } from "./content.ts";

/** The folder where files lie until they are whole. No file name can begin with a dot, so none leads here. */
const incoming = ".incoming";
/** After how long a file that nobody has written to counts as left by a process that was killed. */
const abandonedMs = hour;
const mostSwept = 1_000;

/** Writes a file aside, makes it durable, and moves it into its place in one step. */
export async function writeWhole(
  root: string,
  segments: readonly string[],
  content: Content,
  options: PutOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  await ensureFolder(root, incoming);
  const aside = join(root, incoming, newId());
  try {
    const file = await open(aside, "wx", 0o600);
    try {
      for await (const chunk of chunksOf(content, options)) await writeAll(file, chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    options.signal?.throwIfAborted();
    let folder = root;
    for (const segment of segments.slice(0, -1)) folder = await ensureFolder(folder, segment);
    const path = join(root, ...segments);
    await rename(aside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written);
    written += bytesWritten;
  }
}

/** Returns the folder of that name in `parent`, made for its owner alone when absent. Refuses a link in its place. */
async function ensureFolder(parent: string, segment: string): Promise<string> {
  const path = join(parent, segment);
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(parent);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: "ENOTDIR" });
  }
  return path;
}

/** Puts a folder on the disk: a rename is durable once the folder that holds the name is there. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Removes the files that killed processes left half written: those that this process has seen unchanged for an hour, by a clock that nobody
 * can set. A wall clock that is ahead would make files look old that are still being written.
 */
export function createSweep(monotonic: () => Millis) {
  let seen: ReadonlyMap<string, Sighting> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;

  return async (root: string): Promise<void> => {
    const now = monotonic();
    if (now - lookedAt < abandonedMs) return;
    lookedAt = now;
    const found = new Map<string, Sighting>();
    for (const name of (await namesIn(join(root, incoming))).slice(0, mostSwept)) {
      const path = join(root, incoming, name);
      const at = (await lstat(path).catch(() => undefined))?.mtimeMs;
      const before = seen.get(name);
      const isAbandoned = before !== undefined && before.writtenAt === at && now - before.since >= abandonedMs;
      if (isAbandoned) await rm(path, { force: true });
      else if (at !== undefined) found.set(name, before?.writtenAt === at ? before : { writtenAt: at, since: now });
    }
    seen = found;
  };
}

/** The time when a file was last written, as its disk says, and since when this process has seen that time. */
interface Sighting {
  readonly writtenAt: number;
  readonly since: Millis;
}

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
