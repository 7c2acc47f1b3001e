import { resolve } from "node:path";
import { openArchive, readIdentities, type Archive } from "../app/resources/archive.ts";
import type { Config } from "../config/index.ts";
import { UsageError, type Terminal } from "./command.ts";
import { interruptible } from "./interruptible.ts";
import { createProgress } from "./progress.ts";

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Runs the work with a signal that Ctrl-C aborts and a bar that shows how far it is. */
export function watched<T>(
  terminal: Terminal,
  doing: string,
  work: (running: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: number, total: number) => void;
  }) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal, { doing, inWords: megabytes });
  return interruptible((signal) => work({ signal, onProgress: progress.show })).finally(progress.end);
}

/** Where a command finds or leaves a backup: a file of this host, or a storage disk. */
export type Place = { readonly path: string } | { readonly disk: string };

export function placeOf(path: string | undefined, disk: string | undefined, option: "--output" | "--input"): Place {
  if (path !== undefined && disk === undefined) return { path: resolve(path) };
  if (path === undefined && disk !== undefined) return { disk };
  const place = option === "--output" ? "where the backup goes" : "where the backup is";
  throw new UsageError(`${option} or --disk says ${place}: give one of them`);
}

interface OnDisk {
  readonly config: Config;
  readonly disk: string;
  /** The file with the secret key of age, where one was given. */
  readonly identity?: string | undefined;
}

export async function withArchive<T>(
  { config, disk, identity }: OnDisk,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const identities = identity === undefined ? [] : await readIdentities(identity);
  const archive = openArchive(config, disk, identities);
  if (archive === undefined)
    throw new UsageError(`--disk must name a storage disk: ${Object.keys(config.storage).join(", ")}`);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

export const diskOption = {
  type: "string",
  valueHint: "NAME",
  description: "The storage disk, default or a named one",
} as const;

export const ofBackupDisk = "The storage disk. Default: that of BACKUP_DISK";

export function backupDisk({ backup }: Config, named: string | undefined): string {
  const disk = named ?? backup.disk;
  if (disk === undefined) throw new UsageError("--disk says which disk has the backups, where BACKUP_DISK does not");
  return disk;
}

export const identityOption = {
  type: "string",
  valueHint: "FILE",
  description: "The file with the secret key of age, for a backup that is encrypted",
} as const;

/** How long ago, for people. */
export function ageInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
