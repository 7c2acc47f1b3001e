import { createWriteStream } from "node:fs";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import type { StoredFile } from "../drivers/storage/index.ts";
import { type Installation, sealedEnding, stamp, tagOf } from "./names.ts";
import { createVault, type VaultOptions } from "./vault.ts";
import { inWorkFolder, type WorkPlace } from "./work.folder.ts";

export interface ArchiveOptions extends WorkPlace, VaultOptions {
  readonly installation: Installation;
  readonly clock: Clock;
}

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

const mostPages = 100;
const folder = "backups/gatehouse-";
const anyBackup = /^backups\/gatehouse-[a-z]+-[\da-f]{8}-\d{8}T\d{6}Z\.db(?:\.age)?$/;

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
        // A disk that sends on and on must not fill this host's.
        if (done > total) throw new Error(`more than ${total} bytes came`);
        show?.(done, total);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** The backups on a disk. */
export function createArchive(options: ArchiveOptions) {
  const { installation, clock } = options;
  const vault = createVault(options);
  const prefix = `${folder}${tagOf(installation)}-`;

  return {
    /** Puts a backup of the database on the disk, whole or not at all. */
    async add(database: Database, { signal, onProgress }: Work): Promise<StoredFile> {
      const { backup } = database;
      if (backup === undefined) {
        throw new Error(`the ${database.driver} driver makes no backups: use the tools of its server (pg_dump)`);
      }
      const name = `${prefix}${stamp(clock.now())}.db`;
      return inWorkFolder(options, async (path) => {
        await backup(path, { signal });
        const file = Bun.file(path);
        const sha256 = await sha256Of(path, signal);
        const put = await vault.put(name, counted(file.stream(), file.size, onProgress), { signal, sha256 });
        if (!put.name.endsWith(sealedEnding) && put.size !== file.size)
          throw new Error(`${name} has ${put.size} bytes on the disk, not ${file.size}`);
        return put;
      });
    },

    /** All backups on the disk in the order of their names; those of this installation alone with `own`. */
    async list({ own }: { readonly own: boolean }): Promise<readonly StoredFile[]> {
      const found: StoredFile[] = [];
      let after: string | undefined = "";
      for (let pages = 0; after !== undefined && pages < mostPages; pages += 1) {
        const page = await vault.list({ prefix: own ? prefix : folder, after });
        found.push(...page.files.filter(({ name }) => anyBackup.test(name)));
        after = page.next;
      }
      return found;
    },

    /** Fetches a backup for as long as `use` takes. What is handed to it has every byte that was put. */
    async fetch<T>(name: string, { signal, onProgress }: Work, use: (path: string) => Promise<T>): Promise<T> {
      const file = await vault.get(name);
      if (file === undefined)
        throw new Error(`there is no ${name} on disk ${vault.name}: backup:list has what is there`);
      try {
        return await inWorkFolder(options, async (path) => {
          const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
          const { pipeline } = await import("node:stream/promises");
          await pipeline(counted(file.content, file.size, onProgress), target, { signal });
          const { size } = Bun.file(path);
          if (!name.endsWith(sealedEnding) && size !== file.size)
            throw new Error(`${name} came with ${size} bytes, not ${file.size}`);
          return use(path);
        });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },

    remove: (name: string): Promise<void> => vault.delete(name),
  };
}

export type Archive = ReturnType<typeof createArchive>;
