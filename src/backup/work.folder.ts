import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { CheckOptions } from "../drivers/database/index.ts";
import { errorCode } from "../core/errors.ts";

export interface WorkPlace {
  /**
   * The folder where a copy lies on its way to the disk and back, with room for it. The folder is removed afterwards, unless somebody put
   * other files into it.
   */
  readonly workFolder: string;
  /** The name of the file in that folder. A file found under that name was left by a process that was killed, and is removed. */
  readonly workFile: string;
  /** Rejects, in words, where the disk of the folder has less room than that. Not asked where it is undefined. */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
}

/** How a longer work is stopped, and whom it tells how far it has come. */
export interface Work extends CheckOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** How many files of the backup's size will lie on the disk of the work folder at once. Default 1. */
  readonly copies?: number | undefined;
}

/** Removes what a killed process left behind, and nothing else. */
async function clear({ workFolder, workFile }: WorkPlace): Promise<void> {
  for (const name of await readdir(workFolder))
    if (name.startsWith(workFile)) await rm(join(workFolder, name), { recursive: true, force: true });
}

/** Makes the folder for as long as `use` takes, which gets the path of a file that does not exist yet. */
export async function inWorkFolder<T>(place: WorkPlace, use: (path: string) => Promise<T>): Promise<T> {
  const { workFolder, workFile } = place;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  await clear(place);
  try {
    return await use(join(workFolder, workFile));
  } finally {
    await clear(place);
    await rmdir(workFolder).catch((error: unknown) => {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errorCode(error))) throw error;
    });
  }
}
