import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../system/index.ts";
import { releaseAt, type Places } from "./places.ts";
import { readUnfinished, removeUnfinished, writeUnfinished, type Unfinished } from "./unfinished.ts";

/** What the links of an app name, and what a release that was cut off had in mind. */
export interface Standing {
  readonly current: string | undefined;
  readonly previous: string | undefined;
  readonly unfinished: Unfinished | undefined;
}

export const readStanding = async (places: Places): Promise<Standing> => ({
  current: await releaseAt(places, "current"),
  previous: await releaseAt(places, "previous"),
  unfinished: await readUnfinished(places),
});

/** The change of links by which another release comes into service. Each step is on the disk before the next one begins. */
export function createLinks({ disk, places }: { readonly disk: Disk; readonly places: Places }) {
  const point = (link: "current" | "previous", release: string): Promise<void> =>
    disk.link(join(places.root, link), join("releases", release));

  async function pointBack(release: string | null): Promise<void> {
    if (release !== null) return point("previous", release);
    await rm(join(places.root, "previous"), { force: true });
    await disk.syncFolder(places.root);
  }

  return {
    /** `previous` is set before `current`, so that even a run that is killed leaves a way back. */
    async begin(change: Unfinished): Promise<void> {
      await writeUnfinished(disk, places, change);
      // Where nothing else than the release that served before comes into service, the one before that stays.
      await pointBack(change.from === null || change.from === change.to ? change.earlier : change.from);
      await point("current", change.to);
    },

    /** Every service runs what `current` names. */
    finish: (): Promise<void> => removeUnfinished(disk, places),

    /** Lets the links name what they named before. The change itself stays noted until the services are back, and `finish` is called. */
    async undo(from: string, earlier: string | null): Promise<void> {
      await point("current", from);
      await pointBack(earlier);
    },
  };
}

/** The change by which a new release comes into service: where one was cut off, what served before that one is what to go back to. */
export function activation({ current, previous, unfinished }: Standing, to: string): Unfinished {
  return unfinished === undefined
    ? { act: "activate", from: current ?? null, to, earlier: previous ?? null }
    : { ...unfinished, act: "activate", to };
}

/**
 * The change by which the release before comes back; undefined where there is none. After a release that was cut off that is what
 * served before it, and the links name again what they named then. A rollback that was cut off is begun again.
 */
export function reversal({ current, previous, unfinished }: Standing): Unfinished | undefined {
  if (unfinished?.act === "rollback") return unfinished;
  if (unfinished !== undefined)
    return unfinished.from === null ? undefined : { ...unfinished, act: "rollback", to: unfinished.from };
  if (current === undefined || previous === undefined || previous === current) return undefined;
  return { act: "rollback", from: current, to: previous, earlier: previous };
}
