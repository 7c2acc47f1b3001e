import { second, type Millis } from "../../core/clock.ts";
import type { StoredFile } from "../../drivers/storage/index.ts";
import { type Installation, sealedEnding, stamp, stampedTime, tagOf } from "../names.ts";
import type { Vault } from "../vault.ts";

/** A file of continuous copies, as its name tells. */
export interface CopyFile extends StoredFile {
  readonly kind: "pages" | "copy";
  readonly owner: string;
  readonly series: string;
  readonly sequence: number;
  /** To the second, rounded down. */
  readonly at: Millis;
}

/** What can be restored: a copy, and the changes that follow it without a gap. */
export interface Route {
  readonly copy: CopyFile;
  readonly changes: readonly CopyFile[];
  /** The last of these files. */
  readonly end: CopyFile;
}

const folder = "changes/";
const mostPages = 1_000;
const named =
  /^changes\/([a-z]+-[\da-f]{8})\/(\d{8}T\d{6}Z-[\da-f]{8})\/(\d{8})-(\d{8}T\d{6}Z)\.(pages|copy)(?:\.age)?$/;

/** Sorts by time, of series of one second too: the milliseconds come before what is random. */
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

/** Undefined for a file that is none of continuous copies. */
function readName(file: StoredFile): CopyFile | undefined {
  const [, owner = "", series = "", sequence = "", at = "", kind] = named.exec(file.name) ?? [];
  const time = stampedTime(at);
  // A date that is none would compare with nothing, and hide every other file.
  if ((kind !== "pages" && kind !== "copy") || Number.isNaN(time)) return undefined;
  return { ...file, kind, owner, series, sequence: Number(sequence), at: time };
}

/** Every such file on the disk, in the order of names; of one installation where it is given. */
export async function listCopies(
  vault: Pick<Vault, "list">,
  installation?: Installation,
): Promise<readonly CopyFile[]> {
  const prefix = installation === undefined ? folder : `${folder}${tagOf(installation)}/`;
  const found: CopyFile[] = [];
  let after: string | undefined = "";
  for (let pages = 0; after !== undefined && pages < mostPages; pages += 1) {
    const page = await vault.list({ prefix, after });
    found.push(...page.files.flatMap((file) => readName(file) ?? []));
    after = page.next;
  }
  return found;
}

/** The changes of a series that follow the copy without a gap, in their order. */
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

/** The way to the newest state that is not newer than `at`; undefined where there is none. The files are in the order of their names. */
export function routeTo(files: readonly CopyFile[], at: Millis): Route | undefined {
  let best: Route | undefined;
  for (const copy of files) {
    if (copy.kind !== "copy" || copy.at > at) continue;
    const changes = changesAfter(copy, files).filter((change) => change.at <= at);
    const end = changes.at(-1) ?? copy;
    // Of two ways to one second the shorter one, and of two that began in one second the later one, which may know more of it.
    if (best === undefined || end.at > best.end.at || (end.at === best.end.at && copy.at >= best.copy.at))
      best = { copy, changes, end };
  }
  return best;
}

/**
 * What nothing needs that can be restored from `since` on: all that is older than the newest copy from before then. With no copy that
 * old everything is needed, and a newest copy always is.
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
