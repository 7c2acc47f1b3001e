import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../core/crypto.ts";
import type { HostFile } from "../files/index.ts";
import { explainFileError, ifThere } from "../system/index.ts";
import { difference } from "./difference.ts";

/**
 * The fate of a file. An edited file is kept: `edited` if the release has no new text for it, `offered` if the new text goes beside it with
 * the suffix `.new`.
 */
export interface FileChange {
  readonly file: HostFile;
  readonly act: "none" | "make" | "update" | "mode" | "edited" | "offered";
  /** Lines that turn the release's text into the host's, if an operator has edited it. */
  readonly difference: readonly string[];
}

/** Compares the files of a release with those below a root. `known` holds the digests of texts that earlier installations wrote. */
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

/** Reads a file. A link, by which systemd masks a unit, counts as an edit and has no mode of its own. */
async function read(path: string): Promise<{ readonly text: string; readonly mode: number | undefined } | undefined> {
  try {
    const found = await ifThere(lstat(path));
    if (found?.isSymbolicLink() === true) return { text: `a link to ${await readlink(path)}\n`, mode: undefined };
    return found && { text: await readFile(path, "utf8"), mode: found.mode & 0o7777 };
  } catch (error) {
    throw explainFileError(error, path);
  }
}
