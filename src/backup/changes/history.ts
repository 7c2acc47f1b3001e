import { second, type Millis } from "../../core/clock.ts";
import type { StoredFile } from "../../drivers/storage/index.ts";
import { type Installation, sealedEnding, stamp, stampedTime, tagOf } from "../names.ts";
import type { Vault } from "../vault.ts";

/** A file of continuous copies, described by its name. */
export interface CopyFile extends StoredFile {
  readonly kind: "pages" | "copy";
  readonly owner: string;
  readonly series: string;
  readonly sequence: number;
  /** Rounded down to the second. */
  readonly at: Millis;
}

/** The files of one state that can be restored: a copy, and the changes that follow it without a gap. */
export interface Route {
  readonly copy: CopyFile;
  readonly changes: readonly CopyFile[];
  /** The last change, or the copy where no change follows. */
  readonly end: CopyFile;
}

const folder = "changes/";
const mostPages = 1_000;
const named =
  /^changes\/([a-z]+-[\da-f]{8})\/(\d{8}T\d{6}Z-[\da-f]{8})\/(\d{8})-(\d{8}T\d{6}Z)\.(pages|copy)(?:\.age)?$/;

/** Returns a name that sorts by time, even among series of one second: the milliseconds come before what is random. */
export const newSeries = (now: Millis): string =>
  `${stamp(now)}-${(now % second).toString(16).padStart(3, "0")}${crypto.randomUUID().slice(0, 5)}`;

export const copyName = (
  installation: Installation,
  {
    gatehouse,
    series,
    sequence,
    at,
  }: { readonly gatehouse: string; readonly series: string; readonly sequence: number; readonly at: Millis },
): string => `${folder}${tagOf(installation)}/${series}/${String(sequence).padStart(8, "0")}-${stamp(at)}.${gatehouse}`;

/** Reads the name of a file. Returns undefined for a file that is not one of continuous copies. */
function readName(file: StoredFile): CopyFile | undefined {
  const [, owner = "", series = "", sequence = "", at = "", kind] = named.exec(file.name) ?? [];
  const time = stampedTime(at);
  // A date that does not exist would compare with nothing, and hide every other file.
  if ((kind !== "pages" && kind !== "copy") || Number.isNaN(time)) return undefined;
  return { ...file, kind, owner, series, sequence: Number(sequence), at: time };
}

/** Lists the files of continuous copies in the order of their names, of one installation where it is given. */
export async function listCopies(
  vault: Pick<Vault, "list">,
  installation?: Installation,
): Promise<readonly CopyFile[]> {
  const prefix = installation === undefined ? folder : `${folder}${tagOf(installation)}/`;
  return (await vault.list(prefix, mostPages)).flatMap((file) => readName(file) ?? []);
}

/** Returns the changes of a series that follow the copy without a gap, in their order. */
function changesAfter(copy: CopyFile, files: readonly CopyFile[]): readonly CopyFile[] {
  const following = new Map(
    files
      .filter(({ kind, owner, series }) => kind === "pages" && owner === copy.owner && series === copy.series)
      .map((file) => [file.sequence, file]),
  );
  const changes: CopyFile[] = [];
  for (let next = following.get(copy.sequence + 1); next !== undefined; next = following.get(next.sequence + 1))
    changes.push(next);
  return changes;
}

/**
 * Returns the route to the newest state that is not newer than `at`; undefined where there is none. The files are in the order of their
 * names.
 */
export function routeTo(files: readonly CopyFile[], at: Millis): Route | undefined {
  let best: Route | undefined;
  for (const copy of files) {
    if (copy.kind !== "copy" || copy.at > at) continue;
    const changes = changesAfter(copy, files).filter((change) => change.at <= at);
    const end = changes.at(-1) ?? copy;
    // The shorter of two routes to one second wins. If both copies are of one second, the later file wins, which may know more of it.
    if (best === undefined || end.at > best.end.at || (end.at === best.end.at && copy.at >= best.copy.at))
      best = { copy, changes, end };
  }
  return best;
}

/**
 * Returns the files that no restore of a state from `since` on needs: all that are older than the newest copy from before `since`. Where no
 * copy is that old, every file is needed. The newest copy always is.
 */
export function superfluous(files: readonly CopyFile[], since: Millis): readonly CopyFile[] {
  const kept = files
    .filter(({ kind, at }) => kind === "copy" && at <= since)
    .toSorted((a, b) => a.at - b.at || a.sequence - b.sequence)
    .at(-1);
  if (kept === undefined) return [];
  return files.filter((file) =>
    file.series === kept.series
      ? file.sequence < kept.sequence || (file.sequence === kept.sequence && file.kind === "pages")
      : file.at < kept.at,
  );
}

export const isSealed = ({ name }: StoredFile): boolean => name.endsWith(sealedEnding);
