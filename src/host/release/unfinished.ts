import { Type } from "@sinclair/typebox";
import { readFile } from "node:fs/promises";
import { jsonAs } from "../../core/text/json.ts";
import { HostFailure, ifThere, type Disk } from "../system/index.ts";
import type { Places } from "./places.ts";

/**
 * A change of links that is under way. The note is on the disk before the first link moves, and is removed when every service runs what
 * `current` names. A command that finds it knows that a release was cut off, and what served before.
 */
const Unfinished = Type.Object({
  act: Type.Union([Type.Literal("activate"), Type.Literal("rollback")]),
  /** The release that served before; null for the first release on a host. */
  from: Type.Union([Type.String(), Type.Null()]),
  to: Type.String(),
  /** The release that `previous` named before. */
  earlier: Type.Union([Type.String(), Type.Null()]),
});
export type Unfinished = typeof Unfinished.static;

export async function readUnfinished(places: Places): Promise<Unfinished | undefined> {
  // A note that can't be read counts as one that nobody understands.
  const text = await ifThere(readFile(places.unfinished, "utf8")).catch(() => "");
  if (text === undefined) return undefined;
  const unfinished = jsonAs(Unfinished, text);
  if (unfinished !== undefined) return unfinished;
  throw new HostFailure(
    `${places.unfinished} is not what a release has written`,
    `see that ${places.root}/current names the release that is to run, and remove ${places.unfinished}`,
  );
}

export const writeUnfinished = (disk: Disk, places: Places, unfinished: Unfinished): Promise<void> =>
  disk.write(places.unfinished, `${JSON.stringify(unfinished)}\n`, 0o644);

export async function removeUnfinished(disk: Disk, places: Places): Promise<void> {
  await disk.remove(places.unfinished);
  await disk.syncFolder(places.root);
}
