import { constants } from "node:fs";
import { access, mkdir, realpath, rm, stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Millis } from "../../core/clock.ts";
import { createDisk } from "./disk.ts";
import { type Storage, type StoredFile, StorageUnavailable } from "./index.ts";
import { pathOf, readFile, statFile, walk } from "./local.read.ts";
import { createSweep, syncFolder, writeWhole } from "./local.write.ts";
import { errorCode } from "../../core/errors.ts";

export interface LocalStorageOptions {
  readonly name: string;
  readonly path: string;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: () => Millis;
}

/** The least free space. A disk with less counts as full. */
const leastFreeBytes = 1024 * 1024;

/**
 * Keeps files in a folder of this host, readable by their owner alone. Touches nothing before the first use, which makes the
 * folder. Links inside the folder are neither followed nor listed.
 */
export function createLocalStorage(options: LocalStorageOptions): Storage {
  const { name: disk, path, monotonic = () => performance.now() } = options;
  const folder = resolve(path);
  const sweep = createSweep(monotonic);
  let opened: Promise<string> | undefined;

  /** Makes the folder. A link in its place is the operator's choice, made once. */
  async function open(): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return realpath(folder);
  }

  async function root(): Promise<string> {
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  return createDisk({
    driver: "local",
    name: disk,
    translate: async (error) => translate(disk, folder, error),

    async put(name, content, options) {
      const segments = name.split("/");
      const at = await root();
      await sweep(at);
      await writeWhole(at, segments, content, options);
      const file = await statFile(at, segments);
      if (file === undefined) throw new Error(`${name} was removed while it was put`);
      return file;
    },

    get: async (name) => readFile(await root(), name.split("/")),

    stat: async (name) => statFile(await root(), name.split("/")),

    async list({ prefix, after, limit }) {
      const at = await root();
      const files: StoredFile[] = [];
      for await (const name of walk(at, { prefix, after, batch: limit + 1 })) {
        if (files.length === limit) return { files, next: files.at(-1)?.name };
        const file = await statFile(at, name.split("/"));
        // A file that was deleted since its folder was read is left out.
        if (file !== undefined) files.push(file);
      }
      return { files, next: undefined };
    },

    async delete(name) {
      const at = await root();
      const segments = name.split("/");
      // Links and folders stay, since they are no files of this disk.
      if ((await statFile(at, segments)) === undefined) return;
      const found = await pathOf(at, segments);
      if (found === undefined) return;
      await rm(found, { force: true });
      await syncFolder(resolve(found, ".."));
    },

    async ping() {
      const at = await root();
      if (!(await stat(at)).isDirectory()) throw new StorageUnavailable(`${folder} is no folder`);
      await access(at, constants.R_OK | constants.W_OK | constants.X_OK);
      const { bavail, bsize } = await statfs(at);
      if (bavail * bsize >= leastFreeBytes) return;
      throw new StorageUnavailable(
        `storage disk "${disk}" (${folder}): the disk is full, ${Math.floor((bavail * bsize) / 1024)} KiB are free`,
      );
    },
  });
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "this process may not read and write there",
  EPERM: "this process may not read and write there",
  EIO: "the disk reports an input/output error",
  ESTALE: "the network file system lost it",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "the folder was removed",
  ENOTDIR: "a file or a link stands where a folder belongs",
  EEXIST: "a file or a link stands where a folder belongs",
};

/** Turns an error that the operator can do something about into StorageUnavailable in plain words. Any other error stays as it is. */
function translate(disk: string, folder: string, error: unknown): unknown {
  const why = words[errorCode(error)];
  return why === undefined ? error : new StorageUnavailable(`storage disk "${disk}" (${folder}): ${why}`, error);
}
