import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  constants,
  copyFile,
  mkdir,
  open,
  rename,
  rm,
  statfs,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname } from "node:path";
import type { Account } from "./accounts.ts";

/** Resolves when the content of a file or folder is on the disk: see fsync(2). */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a name is that of a temporary file for a change of `of`. A power cut may leave one; nothing reads it. */
export const isLeftover = (name: string, of: string): boolean =>
  name.startsWith(`${of}.`) && /^[0-9a-f]{12}\.new$/.test(name.slice(of.length + 1));

/** Changes files so that a power cut leaves a change either undone or complete. Errors are the kernel's: see `explainFileError`. */
export function createDisk(sync = syncToDisk) {
  /** Makes a file or a link beside its place and then renames it, so that the place is never empty. */
  async function replace(path: string, make: (aside: string) => Promise<void>): Promise<void> {
    const aside = `${path}.${randomBytes(6).toString("hex")}.new`;
    try {
      await make(aside);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await sync(dirname(path));
  }

  return {
    /** Copies a file to a name that must be free, and resolves when its bytes are on the disk. */
    async copy(from: string, to: string, mode: number): Promise<void> {
      await copyFile(from, to, constants.COPYFILE_EXCL);
      await chmod(to, mode);
      await sync(to);
    },

    /** Puts a file with this text into place in one step. A file or link of that name is replaced, and never written through. */
    write: (path: string, text: string, mode: number): Promise<void> =>
      replace(path, async (aside) => {
        await writeFile(aside, text, { flag: "wx", mode });
        // The process's mask has reduced the mode.
        await chmod(aside, mode);
        await sync(aside);
      }),

    /** Makes a folder and its missing parents, each with this mode regardless of the process's mask. Existing folders stay as they are. */
    async folder(path: string, mode: number): Promise<void> {
      const first = await mkdir(path, { recursive: true, mode });
      if (first === undefined) return;
      for (let made = path; ; made = dirname(made)) {
        await chmod(made, mode);
        if (made === first || made === dirname(made)) return;
      }
    },

    /** Gives a file or folder another owner. Rejects where the file system knows none. */
    giveTo: ({ uid, gid }: Account, path: string): Promise<void> => chown(path, uid, gid),

    /** Points a symbolic link elsewhere in one step, so that it is never absent. */
    link: (path: string, target: string): Promise<void> => replace(path, (aside) => symlink(target, aside)),

    /** Moves in one step within a file system. */
    async move(from: string, to: string): Promise<void> {
      await rename(from, to);
      await sync(dirname(to));
      if (dirname(from) !== dirname(to)) await sync(dirname(from));
    },

    /** Removes a file, a link or a folder with its content. Absence is no error. */
    remove: (path: string): Promise<void> => rm(path, { recursive: true, force: true }),
    /** Resolves when the names in a folder are on the disk. */
    syncFolder: sync,

    /** Returns how many bytes an unprivileged program may still write below the folder. */
    async freeBytes(path: string): Promise<number> {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;
