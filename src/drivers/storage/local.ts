import { constants } from "node:fs";
import { access, mkdir, realpath, rm, stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Millis } from "../../core/clock.ts";
import type { Content, PutOptions } from "./content.ts";
import { type ListOptions, type Storage, type StoredFile, StorageUnavailable } from "./index.ts";
import { translate } from "./local.errors.ts";
import { pathOf, readFile, statFile, walk } from "./local.read.ts";
import { createSweep, syncFolder, writeWhole } from "./local.write.ts";
import { checkLimit, checkName, mostListed } from "./name.ts";

export interface LocalStorageOptions {
  readonly name: string;
  readonly path: string;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: () => Millis;
}

/** A disk with less free space counts as full. */
const leastFreeBytes = 1024 * 1024;

/**
 * Keeps files in a folder of this host, readable by their owner alone. Touches nothing before the first use, which makes the
 * folder. Links inside the folder are neither followed nor listed.
 */
export function createLocalStorage(options: LocalStorageOptions): Storage {
  const { name: disk, path, monotonic = () => performance.now() } = options;
  const folder = resolve(path);
  const writing = new Set<Promise<unknown>>();
  let opened: Promise<string> | undefined;
  const sweep = createSweep(monotonic);
  let closed = false;

  /** The folder may be a link itself: that is the operator's choice, made once. */
  async function open(): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return realpath(folder);
  }

  async function root(): Promise<string> {
    if (closed) throw new StorageUnavailable(`storage disk "${disk}" is closed`, undefined);
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw translate(disk, folder, error);
    }
  };

  async function put(segments: readonly string[], content: Content, options: PutOptions): Promise<StoredFile> {
    const at = await root();
    await sweep(at);
    await writeWhole(at, segments, content, options);
    const file = await statFile(at, segments);
    if (file === undefined) throw new Error(`${segments.join("/")} was removed while it was put`);
    return file;
  }

  async function list({ prefix = "", after = "", limit = mostListed }: ListOptions) {
    const most = checkLimit(limit);
    const at = await root();
    const files: StoredFile[] = [];
    for await (const name of walk(at, { prefix, after, batch: most + 1 })) {
      if (files.length === most) return { files, next: files.at(-1)?.name };
      const file = await statFile(at, name.split("/"));
      // Undefined when the file was deleted since its folder was read.
      if (file !== undefined) files.push(file);
    }
    return { files, next: undefined };
  }

  return {
    driver: "local",
    name: disk,

    async put(name, content, options = {}) {
      const segments = checkName(name);
      const work = translated(() => put(segments, content, options));
      const watched = work.catch(() => undefined).finally(() => writing.delete(watched));
      writing.add(watched);
      return work;
    },

    async get(name) {
      const segments = checkName(name);
      return translated(async () => readFile(await root(), segments));
    },

    async stat(name) {
      const segments = checkName(name);
      return translated(async () => statFile(await root(), segments));
    },

    list: async (options = {}) => translated(() => list(options)),

    async delete(name) {
      const segments = checkName(name);
      return translated(async () => {
        const at = await root();
        // Links and folders stay, since they are no files of this disk.
        if ((await statFile(at, segments)) === undefined) return;
        const found = await pathOf(at, segments);
        if (found === undefined) return;
        await rm(found, { force: true });
        await syncFolder(resolve(found, ".."));
      });
    },

    ping: () =>
      translated(async () => {
        const at = await root();
        if (!(await stat(at)).isDirectory()) throw new StorageUnavailable(`${folder} is no folder`, undefined);
        await access(at, constants.R_OK | constants.W_OK | constants.X_OK);
        const { bavail, bsize } = await statfs(at);
        if (bavail * bsize >= leastFreeBytes) return;
        throw new StorageUnavailable(
          `storage disk "${disk}" (${folder}): the disk is full, ${Math.floor((bavail * bsize) / 1024)} KiB are free`,
          undefined,
        );
      }),

    async close() {
      closed = true;
      await Promise.all(writing);
    },
  };
}
