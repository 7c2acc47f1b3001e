import { readlink } from "node:fs/promises";
import { basename, join } from "node:path";

/** Where the releases of an app are on a host. */
export interface Places {
  readonly root: string;
  readonly releases: string;
  /** Who may sign releases; without this file they need no signature. */
  readonly key: string;
  readonly lock: string;
  /** The folder of what is only needed while a command runs. */
  readonly run: string;
  /** What a release that is under way changes, for whoever comes after a power cut. */
  readonly unfinished: string;
  folderOf(release: string): string;
  binaryOf(release: string): string;
}

/** `below` is the folder that stands for / of the host. */
export function placesOf(app: string, below = "/"): Places {
  const root = join(below, "opt", app);
  const releases = join(root, "releases");
  const run = join(below, "run");
  return {
    root,
    releases,
    run,
    key: join(below, "etc", "gatehouse", "release.pub"),
    lock: join(run, `${app}-release.lock`),
    unfinished: join(root, "unfinished.json"),
    folderOf: (release) => join(releases, release),
    binaryOf: (release) => join(releases, release, app),
  };
}

/** The release that `current` or `previous` names; undefined where there is no such link. */
export async function releaseAt(places: Places, link: "current" | "previous"): Promise<string | undefined> {
  const target = await readlink(join(places.root, link)).catch(() => undefined);
  return target === undefined ? undefined : basename(target);
}
