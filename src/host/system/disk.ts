import { randomBytes } from "node:crypto";
import { copyFile, open, rename, rm, statfs, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Changes of files that a power cut leaves either undone or whole. Errors are the kernel's: see `explainFileError`. */
export interface Disk {
  /** Copies a file to a name that must be free, and resolves when its bytes are on the disk. */
  copy(from: string, to: string, mode: number): Promise<void>;
  /** Puts a file of this text into place in one step. What had the name before is replaced, a link too, and is never written through. */
  write(path: string, text: string, mode: number): Promise<void>;
  /** Lets a symbolic link point elsewhere in one step, so that there is no moment without it. */
  link(path: string, target: string): Promise<void>;
  /** Moves in one step within a file system. */
  move(from: string, to: string): Promise<void>;
  /** Removes a file, a link or a folder with all that is in it. What is absent is removed already. */
  remove(path: string): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** What an unprivileged program may still write below the folder. */
  freeBytes(path: string): Promise<number>;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const beside = (path: string): string => `${path}.${randomBytes(6).toString("hex")}.new`;

export const createDisk = (): Disk => ({
  async copy(from, to, mode) {
    const made = await open(to, "wx", mode);
    try {
      await copyFile(from, to);
      // The mode of the source is copied too, and the process's mask has taken from the one above.
      await made.chmod(mode);
      await made.sync();
    } finally {
      await made.close();
    }
  },

  async write(path, text, mode) {
    const aside = beside(path);
    const handle = await open(aside, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
      await handle.sync();
      await handle.close();
      await rename(aside, path);
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(aside, { force: true });
      throw error;
    }
    await sync(dirname(path));
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
