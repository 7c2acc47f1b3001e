import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./arguments.ts";

/** The folders of this process that are its unit's own, and vanish with it: a caller finds nothing of what is written there. */
function ownFolders(): readonly string[] {
  let mounts = "";
  try {
    mounts = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    // Only Linux has it, and only systemd makes such folders.
    return [];
  }
  return mounts.split("\n").flatMap((line) => {
    const [, , , root = "", place = ""] = line.split(" ");
    return root.includes("/systemd-private-") ? [place] : [];
  });
}

/** Refuses files in a /tmp that is not the caller's, before anything is done: what was written there would be gone, and yet be called written. */
export function requireSeen(paths: readonly (string | undefined)[]): void {
  const given = paths.flatMap((path) => (path === undefined || path === "-" ? [] : [resolve(path)]));
  if (given.length === 0) return;
  const folders = ownFolders();
  for (const path of given) {
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    if (folder !== undefined)
      throw new UsageError(
        `${path} can't be reached: this runs as a unit of systemd, with a ${folder} of its own`,
        "Run host:install of this release, whose command opens files before; or give a path in the data folder",
      );
  }
}
