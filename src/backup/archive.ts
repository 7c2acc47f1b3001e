import { createWriteStream } from "node:fs";
import type { BackupCapability } from "../drivers/database/index.ts";
import { fileOfManifest, manifestOf } from "./manifest.ts";
import { sealedEnding, stamp, tagOf } from "./names.ts";
import { createReading, type Examined } from "./reading.ts";
import { createVault, type VaultOptions } from "./vault.ts";
import { inWorkFolder, type Work, type WorkPlace } from "./work.folder.ts";

export interface ArchiveOptions extends WorkPlace, VaultOptions {
  readonly examine: (path: string) => Promise<Examined>;
}

const mostPages = 100;
const folder = "backups/gatehouse-";
const anyBackup = /^backups\/gatehouse-[a-z]+-[\da-f]{8}-\d{8}T\d{6}Z\.db(?:\.age)?$/;

/** Passes the content on, counts its bytes and shows the progress. */
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
        // A disk that never stops sending must not fill the disk of this host.
        if (done > total) throw new Error(`more than ${total} bytes came`);
        show?.(done, total);
        controller.enqueue(chunk);
      },
    }),
  );
}

export function createArchive(options: ArchiveOptions) {
  const { installation, clock, examine } = options;
  const vault = createVault(options);
  const prefix = `${folder}${tagOf(installation)}-`;

  return {
    /** Puts a backup of the database on the disk with its manifest, whole or not at all. */
    async add({ backUp }: BackupCapability, { signal, onProgress, ...checking }: Work) {
      const name = `${prefix}${stamp(clock.now())}.db`;
      const reading = createReading({ examine });
      return inWorkFolder(options, async (path) => {
        await backUp(path, { signal, onProgress, ...checking, read: reading.read });
        const { schema, strange, measured } = reading.found();
        const file = Bun.file(path);
        const content = counted(file.stream(), file.size, onProgress);
        const put = await vault.put(name, content, { signal, plain: measured, about: { schema, series: null } });
        return { ...put, strange };
      });
    },

    /**
     * Lists the backups on the disk in the order of their names, with `own` only those of this installation, and the names of manifests
     * whose backups somebody has deleted.
     */
    async list({ own }: { readonly own: boolean }) {
      const files = await vault.list(own ? prefix : folder, mostPages);
      const names = files.map(({ name }) => name);
      const manifests = new Set(names.filter((name) => anyBackup.test(fileOfManifest(name) ?? "")));
      const backups = files
        .filter(({ name }) => anyBackup.test(name))
        .map((file) => ({ ...file, hasManifest: manifests.delete(manifestOf(file.name)) }));
      return { backups, strayManifests: [...manifests] };
    },

    /** Fetches a backup for as long as `use` takes. The file that `use` gets has every byte that was put. */
    async fetch<T>(
      name: string,
      { signal, onProgress, copies = 1 }: Work,
      use: (path: string) => Promise<T>,
    ): Promise<T> {
      const file = await vault.get(name, "must");
      if (file === undefined)
        throw new Error(`there is no ${name} on disk ${vault.name}: backup:list has what is there`);
      try {
        await options.requireRoom?.(copies * file.size);
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
        // A stream that nobody has begun to read holds a file or a connection. One that was read to its end is not changed.
        if (!file.content.locked) await file.content.cancel().catch(() => undefined);
        signal.throwIfAborted();
        throw error;
      }
    },

    remove: (name: string): Promise<void> => vault.delete(name, "must"),
    /** Deletes a manifest that has no backup. */
    removeStray: (name: string): Promise<void> => vault.delete(name, "none"),
  };
}

export type Archive = ReturnType<typeof createArchive>;
