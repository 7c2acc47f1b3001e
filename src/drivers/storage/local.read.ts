import { constants } from "node:fs";
import { lstat, open, opendir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../core/errors.ts";
import type { ReadFile, StoredFile } from "./index.ts";
import { isSegment } from "./name.ts";

const chunkBytes = 1024 * 1024;
const absent = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);

const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (absent.has(errorCode(error))) return undefined;
    throw error;
  }
};

/** Returns the path of a name; undefined when a folder on the way is absent or a link. */
export async function pathOf(root: string, segments: readonly string[]): Promise<string | undefined> {
  let folder = root;
  for (const segment of segments.slice(0, -1)) {
    folder = join(folder, segment);
    if ((await ifThere(lstat(folder)))?.isDirectory() !== true) return undefined;
  }
  return join(root, ...segments);
}

/** Returns undefined for a link, a pipe and a folder too. */
export async function statFile(root: string, segments: readonly string[]): Promise<StoredFile | undefined> {
  const path = await pathOf(root, segments);
  const found = path === undefined ? undefined : await ifThere(lstat(path));
  if (found?.isFile() !== true) return undefined;
  return { name: segments.join("/"), size: found.size, modifiedAt: Math.floor(found.mtimeMs) };
}

export async function readFile(root: string, segments: readonly string[]): Promise<ReadFile | undefined> {
  const path = await pathOf(root, segments);
  if (path === undefined) return undefined;
  // O_NOFOLLOW refuses a link; O_NONBLOCK keeps a pipe from waiting for its other end.
  const file = await ifThere(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (file === undefined) return undefined;
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    return undefined;
  }
  return {
    name: segments.join("/"),
    size: found.size,
    modifiedAt: Math.floor(found.mtimeMs),
    content: contentOf(file),
  };
}

const contentOf = (file: FileHandle): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = new Uint8Array(chunkBytes);
          const { bytesRead } = await file.read(chunk, 0, chunkBytes);
          if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead));
          await file.close();
          controller.close();
        } catch (error) {
          await file.close().catch(() => undefined);
          throw error;
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );

interface Entry {
  /** The name of a file, or of a folder with a slash behind it. Sorted by keys, whole names come out in order. */
  readonly key: string;
  readonly folder: boolean;
}

interface EntryRange {
  /** Names up to this one are left out, but a folder among them may hold later names. */
  readonly after: string;
  /** The entry up to which the folder has been read. */
  readonly passed: string;
  readonly most: number;
}

/** Returns the next entries of a folder, in order. A folder of any size is read in bounded memory. */
async function entriesOf(path: string, base: string, { after, passed, most }: EntryRange): Promise<readonly Entry[]> {
  const folder = await ifThere(opendir(path));
  let found: Entry[] = [];
  const cut = (): void => {
    found = found.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, most);
  };
  for await (const entry of folder ?? []) {
    if (!isSegment(entry.name) || !(entry.isFile() || entry.isDirectory())) continue;
    const isFolder = entry.isDirectory();
    const key = `${base}${entry.name}${isFolder ? "/" : ""}`;
    if (key <= passed || (key <= after && !(isFolder && after.startsWith(key)))) continue;
    found.push({ key, folder: isFolder });
    if (found.length >= 2 * most) cut();
  }
  cut();
  return found;
}

/** Yields the names that begin with `prefix` and come after `after`, in order, as they are asked for. */
export async function* walk(
  root: string,
  { prefix, after, batch }: { readonly prefix: string; readonly after: string; readonly batch: number },
  base = "",
): AsyncGenerator<string> {
  let passed = "";
  for (;;) {
    const entries = await entriesOf(join(root, base), base, { after, passed, most: batch });
    for (const { key, folder } of entries) {
      if (!folder && key.startsWith(prefix)) yield key;
      if (folder && (key.startsWith(prefix) || prefix.startsWith(key)))
        yield* walk(root, { prefix, after, batch }, key);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < batch) return;
    passed = last.key;
  }
}
