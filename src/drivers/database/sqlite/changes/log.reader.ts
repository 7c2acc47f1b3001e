import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import {
  type Checksum,
  type Frame,
  frameHeadBytes,
  type IndexHead,
  indexHeadBytes,
  isSame,
  logHeadBytes,
  readFrame,
  readIndexHead,
  readLogHead,
} from "./log.format.ts";

/** How far the log has been read. With no frame read yet, the checksum is the one in the log's own head. */
export interface Position {
  readonly salt: string;
  readonly frame: number;
  readonly checksum: Checksum;
}

const headTries = 1_000;
const framesAtOnce = 256;

/**
 * Reads the database's files beside SQLite. The system drops every lock that a process holds on a file as soon as the process closes any
 * descriptor of it, and SQLite's locks are of that kind: the descriptors of the database and of its index therefore stay open until the
 * process ends. SQLite takes no lock on the log.
 */
export function createLogReader(path: string) {
  // The log is opened first: unlike the other files it may be closed again where one of them is missing.
  const log = openSync(`${path}-wal`, "r");
  let index: number;
  try {
    index = openSync(`${path}-shm`, "r");
  } catch (error) {
    closeSync(log);
    throw error;
  }
  const database = openSync(path, "r");
  const head = new Uint8Array(indexHeadBytes);

  function committed(): IndexHead {
    for (let tries = 0; tries < headTries; tries += 1) {
      if (readSync(index, head, 0, indexHeadBytes, 0) !== indexHeadBytes) continue;
      const found = readIndexHead(head);
      if (found !== undefined) return found;
    }
    throw new Error("the index of the write-ahead log can't be read");
  }

  /** Returns the checksum and the salt of the log as it lies on disk; undefined where it is empty. */
  function logHead() {
    const bytes = new Uint8Array(logHeadBytes);
    return readSync(log, bytes, 0, logHeadBytes, 0) === logHeadBytes ? readLogHead(bytes) : undefined;
  }

  /**
   * Yields the frames that follow the position, up to the last committed one, each checked against all before it, some at a time. Returns
   * the new position, or undefined where the log does not hold what it should. The frames are views that are valid until the next step.
   */
  function* frames(from: Position, to: IndexHead): Generator<readonly Frame[], Position | undefined> {
    const { pageSize, salt } = to;
    let { frame, checksum } = from;
    if (frame === to.frames) return from;
    const beginning = logHead();
    if (beginning?.salt !== salt) return undefined;
    if (frame === 0) ({ checksum } = beginning);
    const size = frameHeadBytes + pageSize;
    const bytes = new Uint8Array(framesAtOnce * size);
    while (frame < to.frames) {
      const count = Math.min(framesAtOnce, to.frames - frame);
      if (readSync(log, bytes, 0, count * size, logHeadBytes + frame * size) !== count * size) return undefined;
      const found: Frame[] = [];
      for (let offset = 0; offset < count * size; offset += size) {
        const next = readFrame(bytes.subarray(offset, offset + size), checksum, salt);
        if (next === undefined) return undefined;
        ({ checksum } = next);
        found.push(next);
      }
      frame += count;
      yield found;
    }
    return isSame(checksum, to.checksum) ? { salt, frame, checksum } : undefined;
  }

  return {
    committed,
    frames,
    /** Returns whether the log has been begun anew since the position was read. */
    isRestarted: ({ salt }: Position): boolean => logHead()?.salt !== salt,
    /** The descriptor of the database's own file. */
    database,
    logBytes: (): number => fstatSync(log).size,
    close: (): void => closeSync(log),
  };
}

export type LogReader = ReturnType<typeof createLogReader>;
