import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../system/index.ts";
import { releaseAt, type Places } from "./places.ts";
import { readUnfinished, removeUnfinished, writeUnfinished, type Unfinished } from "./unfinished.ts";

export type Standing = Awaited<ReturnType<typeof readStanding>>;

/** Reads the targets of an app's links, and the change that was cut off, if any. */
export const readStanding = async (places: Places) => ({
  current: await releaseAt(places, "current"),
  previous: await releaseAt(places, "previous"),
  unfinished: await readUnfinished(places),
});

/** Changes the links by which another release comes into service. Each step is on the disk before the next one begins. */
export function createLinks({ disk, places }: { readonly disk: Disk; readonly places: Places }) {
  const point = (link: "current" | "previous", release: string): Promise<void> =>
    disk.link(join(places.root, link), join("releases", release));

  async function pointBack(release: string | null): Promise<void> {
    if (release !== null) return point("previous", release);
    await rm(join(places.root, "previous"), { force: true });
    await disk.syncFolder(places.root);
  }

  return {
    /** Sets `previous` before `current`, so that even a killed run leaves a way back. */
    async begin(change: Unfinished): Promise<void> {
      await writeUnfinished(disk, places, change);
      // If the serving release only comes into service again, `previous` keeps its target.
      await pointBack(change.from === null || change.from === change.to ? change.earlier : change.from);
      await point("current", change.to);
    },

    /** Removes the note of the change: every service now runs what `current` names. */
    finish: (): Promise<void> => removeUnfinished(disk, places),

    /** Points the links back to what they named before. The note of the change stays until the services are back and `finish` is called. */
    async undo(from: string, earlier: string | null): Promise<void> {
      await point("current", from);
      await pointBack(earlier);
    },
  };
}

/**
 * Returns the change that puts a new release into service. After an activation that was cut off, the way back leads to what served before
 * it.
 */
export function activation({ current, previous, unfinished }: Standing, to: string): Unfinished {
  return unfinished === undefined
    ? { act: "activate", from: current ?? null, to, earlier: previous ?? null }
    : { ...unfinished, act: "activate", to };
}

/**
 * Returns the change that brings back the release before; undefined if there is none. After an activation that was cut off, that is the
 * release that served before it, and the links get their former targets. A rollback that was cut off is repeated.
 */
export function reversal({ current, previous, unfinished }: Standing): Unfinished | undefined {
  if (unfinished?.act === "rollback") return unfinished;
  if (unfinished !== undefined)
    return unfinished.from === null ? undefined : { ...unfinished, act: "rollback", to: unfinished.from };
  if (current === undefined || previous === undefined || previous === current) return undefined;
  return { act: "rollback", from: current, to: previous, earlier: previous };
}
