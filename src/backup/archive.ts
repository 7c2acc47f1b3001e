import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Millis } from "../core/clock.ts";
import { deriveKey, hexMac } from "../core/crypto.ts";
import { errorCode } from "../core/error.code.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Storage, StoredFile } from "../drivers/storage/index.ts";

export interface ArchiveOptions {
  /** Whose backups these are. Installations can share a disk, and must not delete each other's backups. */
  readonly installation: { readonly key: string; readonly env: string };
  readonly disk: Storage;
  /**
   * Where a backup lies on its way to the disk and back, so there must be room for it. The folder is removed afterwards, unless
   * somebody put other files into it.
   */
  readonly workFolder: string;
  /** The name of the file in that folder: what is found under it was left by a process that was killed, and is removed. */
  readonly workFile: string;
  readonly clock: Clock;
}

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

const mostPages = 100;
const folder = "backups/gatehouse-";
const anyBackup = /^backups\/gatehouse-[a-z]+-[\da-f]{8}-\d{8}T\d{6}Z\.db$/;

/** Names the installation in file names. Its two apps share one database, so that nothing of the app is part of the tag. */
const tagOf = ({ key, env }: ArchiveOptions["installation"]): string =>
  `${env}-${hexMac(deriveKey(key, "backup"), env).slice(0, 8)}`;

/** `20261121T034000Z`: sorts by time, and is allowed in file names everywhere. */
const stamp = (at: Millis): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) {
    signal.throwIfAborted();
    hasher.update(chunk);
  }
  return hasher.digest("hex");
}

/** The same content, its bytes counted as they are taken. */
function counted(
  content: ReadableStream<Uint8Array>,
  total: number,
  show: Work["onProgress"],
): ReadableStream<Uint8Array> {
  let done = 0;
  return content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        done += chunk.length;
        show?.(done, total);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** The backups on a disk. */
export function createArchive({ installation, disk, workFolder, workFile, clock }: ArchiveOptions) {
  const prefix = `${folder}${tagOf(installation)}-`;

  /** Removes what a killed process left behind, and nothing else. */
  async function clear(): Promise<void> {
    for (const name of await readdir(workFolder))
      if (name.startsWith(workFile)) await rm(join(workFolder, name), { recursive: true, force: true });
  }

  async function inWorkFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    await clear();
    try {
      return await use(join(workFolder, workFile));
    } finally {
      await clear();
      await rmdir(workFolder).catch((error: unknown) => {
        if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errorCode(error))) throw error;
      });
    }
  }

  return {
    /** Puts a backup of the database on the disk, whole or not at all. */
    async add(database: Database, { signal, onProgress }: Work): Promise<StoredFile> {
      const { backup } = database;
      if (backup === undefined) {
        throw new Error(`the ${database.driver} driver makes no backups: use the tools of its server (pg_dump)`);
      }
      const name = `${prefix}${stamp(clock.now())}.db`;
      return inWorkFolder(async (path) => {
        await backup(path, { signal });
        const file = Bun.file(path);
        const sha256 = await sha256Of(path, signal);
        const put = await disk.put(name, counted(file.stream(), file.size, onProgress), { signal, sha256 });
        if (put.size !== file.size) throw new Error(`${name} has ${put.size} bytes on the disk, not ${file.size}`);
        return put;
      });
    },

    /** All backups on the disk in the order of their names; those of this installation alone with `own`. */
    async list({ own }: { readonly own: boolean }): Promise<readonly StoredFile[]> {
      const found: StoredFile[] = [];
      let after: string | undefined = "";
      for (let pages = 0; after !== undefined && pages < mostPages; pages += 1) {
        const page = await disk.list({ prefix: own ? prefix : folder, after });
        found.push(...page.files.filter(({ name }) => anyBackup.test(name)));
        after = page.next;
      }
      return found;
    },

    /** Fetches a backup for as long as `use` takes. What is handed to it has every byte that was put. */
    async fetch<T>(name: string, { signal, onProgress }: Work, use: (path: string) => Promise<T>): Promise<T> {
      const file = await disk.get(name);
      if (file === undefined)
        throw new Error(`there is no ${name} on disk ${disk.name}: backup:list has what is there`);
      try {
        return await inWorkFolder(async (path) => {
          const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
          const { pipeline } = await import("node:stream/promises");
          await pipeline(counted(file.content, file.size, onProgress), target, { signal });
          const { size } = Bun.file(path);
          if (size !== file.size) throw new Error(`${name} came with ${size} bytes, not ${file.size}`);
          return use(path);
        });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },

    remove: (name: string): Promise<void> => disk.delete(name),
  };
}
