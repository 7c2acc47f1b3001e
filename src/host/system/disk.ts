import { randomBytes } from "node:crypto";
import { chmod, constants, copyFile, mkdir, open, rename, rm, statfs, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Changes of files that a power cut leaves either undone or complete. Errors are the kernel's: see `explainFileError`. */
export interface Disk {
  /** Copies a file to a name that must be free, and resolves when its bytes are on the disk. */
  copy(from: string, to: string, mode: number): Promise<void>;
  /** Puts a file with this text into place in one step. A file or link of that name is replaced, and never written through. */
  write(path: string, text: string, mode: number): Promise<void>;
  /** Makes a folder and its missing parents, each with this mode regardless of the process's mask. Existing folders stay as they are. */
  folder(path: string, mode: number): Promise<void>;
  /** Points a symbolic link elsewhere in one step, so that it is never absent. */
  link(path: string, target: string): Promise<void>;
  /** Moves in one step within a file system. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file, a link or a folder with its content. Absence is no error. */
  remove(path: string): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Returns how many bytes an unprivileged program may still write below the folder. */
  freeBytes(path: string): Promise<number>;
}

/** Resolves when the content of a file or folder is on the disk: see fsync(2). */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const beside = (path: string): string => `${path}.${randomBytes(6).toString("hex")}.new`;

/** Whether a name is that of a temporary file for a change of `of`. A power cut may leave one; nothing reads it. */
export const isLeftover = (name: string, of: string): boolean =>
  name.startsWith(`${of}.`) && /^[0-9a-f]{12}\.new$/.test(name.slice(of.length + 1));

export const createDisk = (sync = syncToDisk): Disk => ({
  async copy(from, to, mode) {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await chmod(to, mode);
    await sync(to);
  },

  async write(path, text, mode) {
    const aside = beside(path);
    try {
      await writeFile(aside, text, { flag: "wx", mode });
      // The process's mask has reduced the mode.
      await chmod(aside, mode);
      await sync(aside);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await sync(dirname(path));
  },

  async folder(path, mode) {
    const first = await mkdir(path, { recursive: true, mode });
    if (first === undefined) return;
    for (let made = path; ; made = dirname(made)) {
      await chmod(made, mode);
      if (made === first || made === dirname(made)) return;
    }
  },

  async link(path, target) {
    const aside = beside(path);
    await symlink(target, aside);
    try {
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await sync(dirname(path));
  },

  async move(from, to) {
    await rename(from, to);
    await sync(dirname(to));
    if (dirname(from) !== dirname(to)) await sync(dirname(from));
  },

  remove: (path) => rm(path, { recursive: true, force: true }),
  syncFolder: sync,

  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
});
