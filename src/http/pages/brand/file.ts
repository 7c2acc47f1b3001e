import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../../../core/errors.ts";

/** What is wrong with a file of the operator's, in words that follow the name of its variable. */
export interface Wrong {
  readonly wrong: string;
}

export const isWrong = (read: object): read is Wrong => "wrong" in read;

/** Reads a whole file. A device or a pipe is none: it says no size, and may never end. */
export function readSmallFile(path: string, mostKib: number): Uint8Array<ArrayBuffer> | Wrong {
  try {
    const found = statSync(path);
    if (!found.isFile()) return { wrong: "must be a file" };
    if (found.size > mostKib * 1024)
      return { wrong: `must be at most ${mostKib} KiB, and this file has ${found.size} bytes` };
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    return { wrong: `can't be read (${errorCode(error)})` };
  }
}
