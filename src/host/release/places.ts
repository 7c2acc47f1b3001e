import { readlink } from "node:fs/promises";
import { basename, join } from "node:path";

export type Places = ReturnType<typeof placesOf>;

/** `below` is the folder that stands for / of the host. */
export function placesOf(app: string, below = "/") {
  const root = join(below, "opt", app);
  const releases = join(root, "releases");
  const run = join(below, "run");
  return {
    root,
    releases,
    /** The folder for files that are only needed while a command runs. */
    run,
    /** The file of keys that may sign releases. Without it, releases need no signature. */
    key: join(below, "etc", "gatehouse", "release.pub"),
    lock: join(run, `${app}-release.lock`),
    /** The file that notes the change under way, for the next command after a power cut. */
    unfinished: join(root, "unfinished.json"),
    folderOf: (release: string): string => join(releases, release),
    binaryOf: (release: string): string => join(releases, release, app),
  };
}

/** Returns the release that `current` or `previous` names; undefined if there is no such link. */
export async function releaseAt(places: Places, link: "current" | "previous"): Promise<string | undefined> {
  const target = await readlink(join(places.root, link)).catch(() => undefined);
  return target === undefined ? undefined : basename(target);
}
