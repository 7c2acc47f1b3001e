import { open } from "node:fs/promises";
import type { Millis } from "../../core/clock.ts";
import { stamp } from "../names.ts";
import { UnprovenBackup } from "../manifest.ts";
import type { Vault } from "../vault.ts";
import type { Work } from "../work.folder.ts";
import type { CopyFile, Route } from "./history.ts";
import { DamagedCopy, decode, type Head, type PageSink } from "./object.ts";

export interface Rebuilt {
  /** Everything that was committed before this time is part of the state. */
  readonly at: Millis;
  readonly files: number;
}

type CopyVault = Pick<Vault, "get" | "name" | "key" | "unproven">;

/** Reads a file from the disk, checks it, and hands its pages to the sink. */
async function readCopy(
  vault: CopyVault,
  file: CopyFile,
  sink: PageSink,
): Promise<{ readonly head: Head; readonly digest: string }> {
  const found = await vault.get(file.name, file.kind === "copy" ? "may" : "none");
  if (found === undefined) throw new Error(`there is no ${file.name} on disk ${vault.name}`);
  const check = (head: Head): void => {
    const isNamed = head.gatehouse === file.kind && head.series === file.series && head.sequence === file.sequence;
    if (!isNamed || stamp(head.at) !== stamp(file.at))
      throw new DamagedCopy(file.name, "it is another file of that kind under this name");
    // A file can't claim more pages than fit into it: otherwise it could fill the disk of the live database.
    if (head.pages * head.page_size > file.size) throw new DamagedCopy(file.name, "it names more pages than it holds");
    if (head.format === 1 && vault.unproven === undefined)
      throw new UnprovenBackup(
        `${file.name} was made by release 0.2.0 or an earlier one, and holds nothing that proves whose it is. --unverified takes it`,
      );
    if (head.gatehouse === "copy" && head.pages !== head.page_count)
      throw new DamagedCopy(file.name, "it does not hold the whole database");
  };
  const read = await decode(file.name, found.content, { key: vault.key, check, sink });
  if (read.head.format === 1) vault.unproven?.(`nothing in ${file.name} proves whose it is`);
  return read;
}

/**
 * Writes the state at the end of the route into a new file. Each file names the digest of the one before, so a file that is missing or
 * exchanged is found like one that was changed.
 */
export async function rebuild(
  vault: CopyVault,
  { copy, changes }: Route,
  path: string,
  { signal, onProgress }: Work,
): Promise<Rebuilt> {
  const total = [copy, ...changes].reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const target = await open(path, "wx", 0o600);
  const sink: PageSink = async (content, at) => {
    signal.throwIfAborted();
    await target.write(content, 0, content.length, at);
  };
  try {
    let { head } = await readCopy(vault, copy, sink);
    let last = head.after;
    for (const file of [undefined, ...changes]) {
      if (file !== undefined) {
        const read = await readCopy(vault, file, sink);
        if (read.head.after !== last) throw new DamagedCopy(file.name, "it does not follow the file before it");
        ({ head, digest: last } = read);
      }
      done += (file ?? copy).size;
      onProgress?.(done, total);
    }
    await target.truncate(head.page_count * head.page_size);
    await target.sync();
    return { at: head.at, files: changes.length + 1 };
  } finally {
    await target.close();
  }
}
