import { type Clock, hour, minute, timestamp, type Millis } from "../core/clock.ts";
import type { Archive } from "./archive.ts";
import type { ChangeReader } from "./changes/reader.ts";

interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** What a backup holds, as far as it was looked at. */
export interface Contents {
  readonly tables: readonly TableRows[];
  /** The migrations that its schema lacks. */
  readonly pending: readonly string[];
}

export interface Drill extends Contents {
  /** The file, or `continuous copies`. */
  readonly source: string;
  /** All that was committed before this time is in it. */
  readonly at: Millis;
}

export interface DrillOptions {
  readonly archive: Pick<Archive, "list" | "fetch">;
  readonly changes: Pick<ChangeReader, "fetch" | "newestAt">;
  /** Reads a whole backup; rejects where it could not take the database's place. */
  readonly verify: (path: string, name: string) => Promise<Contents>;
  /** How old the newest state may be. */
  readonly mostAgeMs: number;
  readonly clock: Clock;
}

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** How old the newest state may be where nobody says otherwise. */
export const mostAgeOf = ({ changesIntervalMs }: { readonly changesIntervalMs: Millis | undefined }): Millis =>
  changesIntervalMs === undefined ? 26 * hour : 5 * minute;

/** Puts the newest state on the disk together in a file of its own, reads all of it, and removes it. Rejects where that can't be done. */
export async function drill(options: DrillOptions, work: Work): Promise<Drill> {
  const { mostAgeMs, clock } = options;
  const done = await readNewest(options, work);
  const age = clock.now() - done.at;
  if (age > mostAgeMs)
    throw new Error(
      `the newest state on the disk is from ${timestamp(done.at)}, ${inSeconds(age)} ago, and may be ${inSeconds(mostAgeMs)} old`,
    );
  return done;
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

async function readNewest({ archive, changes, verify, clock }: DrillOptions, work: Work): Promise<Drill> {
  const newest = (await archive.list({ own: true })).backups.toSorted((a, b) => a.modifiedAt - b.modifiedAt).at(-1);
  const changedAt = await changes.newestAt();
  if (changedAt !== undefined && changedAt >= (newest?.modifiedAt ?? 0)) {
    const source = "continuous copies";
    const found = await changes.fetch(clock.now(), work, async (path, { at }) => ({
      source,
      at,
      ...(await verify(path, source)),
    }));
    if (found !== undefined) return found;
  }
  if (newest === undefined)
    throw new Error("the disk has no backup of this installation: backup:create with --disk makes one");
  const { name, modifiedAt: at } = newest;
  return archive.fetch(name, work, async (path) => ({ source: name, at, ...(await verify(path, name)) }));
}
