import { stat } from "node:fs/promises";
import { readStanding } from "./links.ts";
import { releasesIn, type ReleaseOptions } from "./releases.ts";
import type { Places } from "./places.ts";

export { placesOf, type Places } from "./places.ts";
export type { Audience } from "./narration.ts";
export { createReleases } from "./releases.ts";

export interface ListedRelease {
  readonly release: string;
  readonly isCurrent: boolean;
  readonly isPrevious: boolean;
  /** Whether it was on its way into service or out of it when that was cut off. */
  readonly isUnfinished: boolean;
  readonly bytes: number;
  readonly stagedAt: number;
}

/** The releases of an app that are on this host, the latest first. */
export async function listReleases(places: Places): Promise<readonly ListedRelease[]> {
  const { current, previous, unfinished } = await readStanding(places);
  const listed = await Promise.all(
    (await releasesIn(places)).map(async (release) => {
      const found = await stat(places.binaryOf(release)).catch(() => undefined);
      return {
        release,
        isCurrent: release === current,
        isPrevious: release === previous,
        isUnfinished: release === unfinished?.to,
        bytes: found?.size ?? 0,
        stagedAt: found?.mtimeMs ?? 0,
      };
    }),
  );
  return listed.toSorted((a, b) => b.stagedAt - a.stagedAt);
}

/** As long as nothing else is asked for. */
export const usualPace = { settleMs: 2_000, readyWithinMs: 30_000 } as const;

/** What the instances of either app answer to a stranger. */
export const usualSmoke = (app: string): ReleaseOptions["smoke"] =>
  app === "gatehouse" ? { path: "/api/v1/hello", status: 401 } : { path: "/-/health", status: 200 };

/** The running binary itself, as a source of a release. Its bytes are read from the kernel's view of it, whatever became of the file. */
export const ownBinary = { bytes: "/proc/self/exe", path: process.execPath } as const;
