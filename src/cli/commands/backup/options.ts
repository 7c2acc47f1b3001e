import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import {
  manifestEnding,
  openArchive,
  readIdentities,
  type Archive,
  type Work,
} from "../../../app/resources/archive.ts";
import type { Config } from "../../../config/index.ts";
import type { Millis } from "../../../core/clock.ts";
import { companions } from "../../../drivers/database/sqlite/files.ts";
import { UsageError, type Terminal } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { megabytes } from "../../terminal/columns.ts";
import { createProgress } from "../../terminal/progress.ts";
import { readTime, when } from "../../usage/time.option.ts";

/** A command has the machine to itself, as far as others leave it. */
const mostThreads = 4;

export type Running = Required<Pick<Work, "signal" | "threads" | "onProgress" | "onChecked">>;

/** Runs the work with a signal that Ctrl-C aborts, and bars that show its progress: in bytes, and in rows where these are checked. */
export function watched<T>(terminal: Terminal, doing: string, work: (running: Running) => Promise<T>): Promise<T> {
  const progress = createProgress(terminal, { doing, inWords: megabytes });
  const checks = createProgress(terminal, { doing: "checking", of: "rows" });
  const threads = Math.min(availableParallelism(), mostThreads);
  return interruptible((signal) =>
    work({ signal, threads, onProgress: progress.show, onChecked: checks.show }),
  ).finally(() => {
    progress.end();
    checks.end();
  });
}

/** The place of a backup: a file of this host, or a storage disk. */
type Place = { readonly path: string } | { readonly disk: string };

export function placeOf(path: string | undefined, disk: string | undefined, option: "--output" | "--input"): Place {
  if (path !== undefined && disk === undefined) return { path: resolve(path) };
  if (path === undefined && disk !== undefined) return { disk };
  const place = option === "--output" ? "where the backup goes" : "where the backup is";
  throw new UsageError(`${option} or --disk says ${place}: give one of them`);
}

interface OnDisk {
  readonly config: Config;
  readonly disk: string;
  /** The file with the secret key of age, if given. */
  readonly identity?: string | undefined;
  /** If given, an unproven backup is let through, and this is called with the reason. */
  readonly unproven?: ((why: string) => void) | undefined;
}

export async function withArchive<T>(
  { config, disk, identity, unproven }: OnDisk,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const identities = identity === undefined ? [] : await readIdentities(identity);
  const archive = openArchive(config, disk, { identities, unproven });
  if (archive === undefined)
    throw new UsageError(`--disk must name a storage disk: ${Object.keys(config.storage).join(", ")}`);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

/** Fetches the state at the time `until` from the continuous copies. Rejects, with the reason, if they hold nothing that old. */
export async function fetchChanges<T>(
  archive: Archive,
  { terminal, until }: { readonly terminal: Terminal; readonly until: Millis },
  use: (path: string, at: Millis, running: Running) => Promise<T>,
): Promise<T> {
  const fetched = await watched(terminal, "fetching", (running) =>
    archive.changes.fetch(until, running, (path, { at }) => use(path, at, running)),
  );
  if (fetched === undefined)
    throw new Error(`${await archive.changes.whyNothing(until)}: backup:list has what is there`);
  return fetched;
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

export const unverifiedOption = {
  type: "boolean",
  description: "Take a backup that has no manifest, or that of another installation",
} as const;

/** With --unverified, returns a function that tells the terminal why a backup could not be proved. */
export const unprovenTo = (terminal: Terminal, unverified: boolean | undefined): ((why: string) => void) | undefined =>
  unverified === true ? (why) => terminal.err(`not verified: ${why}`) : undefined;

/** Options that choose the backup to read. */
export const sourceOptions = {
  input: { type: "string", valueHint: "PATH", description: "The backup" },
  disk: { ...diskOption, description: "In place of --input: the storage disk that has it" },
  file: {
    type: "string",
    valueHint: "FILE",
    description: "Its name on that disk, as backup:list shows it. Without it: the continuous copies",
  },
  at: { type: "string", valueHint: "TIME", description: `Of continuous copies, the state at this time: ${when}` },
  identity: identityOption,
  unverified: unverifiedOption,
} as const;

export const identityFile = { identity: { way: "reads" } } as const;

/** The files of those options. What SQLite keeps beside a database tells that it is in use, and is looked at with it. */
export const sourceFiles = {
  input: { way: "reads", beside: [manifestEnding, ...companions] },
  ...identityFile,
} as const;

interface SourceArguments {
  readonly input?: string | undefined;
  readonly disk?: string | undefined;
  readonly file?: string | undefined;
  readonly at?: string | undefined;
  readonly identity?: string | undefined;
}

export interface BackupSource {
  readonly place: Place;
  /** The backup's name on the disk; undefined for continuous copies. */
  readonly file: string | undefined;
  /** The latest time that the state may have; undefined for the newest state. */
  readonly at: Millis | undefined;
  readonly identity: string | undefined;
}

export function readSource({ input, disk, file, at: time, identity }: SourceArguments): BackupSource {
  const place = placeOf(input, disk, "--input");
  if ("path" in place && file !== undefined) throw new UsageError("--file is a name on a disk: give --disk with it");
  const at = readTime("at", time);
  if (at !== undefined && (file !== undefined || "path" in place))
    throw new UsageError("--at is for continuous copies: give --disk with it, and no file");
  return { place, file, at, identity };
}

/** Says for people how long ago something was. */
export function ageInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
