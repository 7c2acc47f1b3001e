import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../core/crypto.ts";
import type { HostFile } from "../files/index.ts";
import { explainFileError, kernelCode } from "../system/index.ts";
import { difference } from "./difference.ts";

/**
 * What becomes of a file. One that an operator has edited is kept: `edited` where the release has nothing new for it, `offered` where
 * its new text goes beside it under the same name and `.new`.
 */
export interface FileChange {
  readonly file: HostFile;
  readonly act: "none" | "make" | "update" | "mode" | "edited" | "offered";
  /** From the text of this release to the one on the host, where an operator has edited it. */
  readonly difference: readonly string[];
}

/** Compares the files of a release with those below a root, by what earlier installations have written there. */
export async function compareFiles(
  root: string,
  files: readonly HostFile[],
  known: Readonly<Record<string, readonly string[]>>,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const file of files) changes.push(await compare(join(root, file.path), file, known[file.path] ?? []));
  return changes;
}

async function compare(path: string, file: HostFile, known: readonly string[]): Promise<FileChange> {
  const found = await read(path);
  const change = (act: FileChange["act"]): FileChange => ({ file, act, difference: [] });
  if (found === undefined) return change("make");
  if (found.text === file.text && found.mode !== undefined) return change(found.mode === file.mode ? "none" : "mode");
  if (found.mode !== undefined && known.includes(contentHash(found.text))) return change("update");
  const isOffered = known.includes(contentHash(file.text));
  return { file, act: isOffered ? "edited" : "offered", difference: difference(file.text, found.text) };
}

/** A link, by which systemd masks a unit, counts as an edit. It has no mode of its own. */
async function read(path: string): Promise<{ readonly text: string; readonly mode: number | undefined } | undefined> {
  try {
    const { mode, ...found } = await lstat(path).then((stat) => ({
      mode: stat.mode & 0o7777,
      isLink: stat.isSymbolicLink(),
    }));
    if (found.isLink) return { text: `a link to ${await readlink(path)}\n`, mode: undefined };
    return { text: await readFile(path, "utf8"), mode };
  } catch (error) {
    if (kernelCode(error) === "ENOENT") return undefined;
    throw explainFileError(error, path);
  }
}
