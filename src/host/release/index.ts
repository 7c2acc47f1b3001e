import { stat } from "node:fs/promises";
import { readStanding } from "./links.ts";
import { releasesIn, type ReleaseOptions } from "./releases.ts";
import type { Places } from "./places.ts";

export { placesOf, type Places } from "./places.ts";
export type { Audience } from "./narration.ts";
export { createReleases } from "./releases.ts";

export type ListedRelease = Awaited<ReturnType<typeof listReleases>>[number];

/** Lists an app's releases on this host, latest first. An activation or rollback to one that is unfinished was cut off. */
export async function listReleases(places: Places) {
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

/** The pace of a roll-out unless another is asked for. */
export const usualPace = { settleMs: 2_000, readyWithinMs: 30_000 } as const;

/** The request that a stranger can make, and the answer of a healthy instance of either app. */
export const usualSmoke = (app: string): ReleaseOptions["smoke"] =>
  app === "gatehouse" ? { path: "/api/v1/hello", status: 401 } : { path: "/-/health", status: 200 };

/** The running binary as the source of a release. Its bytes are read through the kernel, whatever became of the file. */
export const ownBinary = { bytes: "/proc/self/exe", path: process.execPath } as const;
