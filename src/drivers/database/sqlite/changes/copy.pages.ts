import { read } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { checkCopy } from "../backup/backup.ts";
import type { IndexHead } from "./log.format.ts";
import type { LogReader, Position } from "./log.reader.ts";

interface Copying {
  readonly reader: LogReader;
  /** The end of the part of the log that belongs to the copied state. A held transaction keeps that part there. */
  readonly position: Position;
  readonly state: IndexHead;
  readonly target: string;
  readonly signal: AbortSignal;
}

const chunkBytes = 1024 * 1024;
const tries = 3;
const readAt = promisify(read);

/**
 * Writes one state of the database into a file, each page where it belongs. Others may write meanwhile: SQLite may move pages from the log
 * into the database's file while that is copied, but the log still has them, and pages of the log are written last.
 */
export async function copyPages(copying: Copying): Promise<void> {
  const { state, target, signal } = copying;
  const file = await open(target, "wx", 0o600);
  try {
    for (let round = 1; !(await copyOnce(file, copying)); round += 1)
      if (round === tries) throw new Error(`the write-ahead log was begun anew ${tries} times during a copy`);
    await file.truncate(state.pageCount * state.pageSize);
    await file.sync();
  } finally {
    await file.close();
  }
  await checkCopy(target, { signal });
}

/** Returns false where the log was begun anew meanwhile: that happens only when the database's file has all of it already. */
async function copyOnce(file: FileHandle, { reader, position, state, signal }: Copying): Promise<boolean> {
  const chunk = new Uint8Array(chunkBytes);
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await readAt(reader.database, chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    await file.write(chunk, 0, bytesRead, at);
    at += bytesRead;
  }
  if (position.frame === 0 || reader.isRestarted(position)) return true;
  const steps = reader.frames(
    { ...position, frame: 0 },
    { ...state, frames: position.frame, checksum: position.checksum },
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value !== undefined;
    for (const { page, content } of value) await file.write(content, 0, content.length, (page - 1) * state.pageSize);
    signal.throwIfAborted();
  }
}
