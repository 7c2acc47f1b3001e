import { type Clock, hour, minute, timestamp, type Millis } from "../core/clock.ts";
import type { Archive } from "./archive.ts";
import type { ChangeReader } from "./changes/reader.ts";
import type { Work } from "./work.folder.ts";

interface TableRows {
  readonly table: string;
  readonly rows: number;
}

export interface Contents {
  readonly tables: readonly TableRows[];
  /** The migrations that the backup's schema lacks. */
  readonly pending: readonly string[];
}

export interface DrillOptions {
  readonly archive: Pick<Archive, "list" | "fetch">;
  readonly changes: Pick<ChangeReader, "fetch" | "newestAt">;
  /** Reads a whole backup; rejects where it could not take the database's place. */
  readonly verify: (path: string, name: string) => Promise<Contents>;
  readonly mostAgeMs: number;
  readonly clock: Clock;
}

/** Returns how old the newest state may be unless somebody says otherwise. */
export const mostAgeOf = ({ changesIntervalMs }: { readonly changesIntervalMs: Millis | undefined }): Millis =>
  changesIntervalMs === undefined ? 26 * hour : 5 * minute;

/**
 * Restores the newest state on the disk into a file of its own, reads all of it, and removes it. Rejects where that fails, or where the
 * state is too old.
 */
export async function drill(options: DrillOptions, work: Work) {
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

/** Resolves to what the newest backup holds, where it is, and the time before which everything that was committed is in it. */
async function readNewest({ archive, changes, verify, clock }: DrillOptions, work: Work) {
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
