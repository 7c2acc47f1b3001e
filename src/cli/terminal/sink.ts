import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

const ownerOnly = 0o600;

/** Where an export is written to. */
export interface Sink {
  write(lines: string): void;
  /** Keeps what was written: everything is complete. */
  keep(): void;
  close(): void;
}

export const standardOutput = (out: (text: string) => void): Sink => ({ write: out, keep() {}, close() {} });

/** A file for its owner alone, that appears whole or not at all: it gets its name only once it is on the disk. */
export function fileAt(path: string): Sink {
  const part = `${path}.${process.pid}.part`;
  const file = openSync(part, "wx", ownerOnly);
  let isKept = false;
  return {
    write: (lines) => writeFileSync(file, `${lines}\n`),
    keep() {
      fsyncSync(file);
      renameSync(part, path);
      isKept = true;
    },
    close() {
      closeSync(file);
      if (!isKept) rmSync(part, { force: true });
    },
  };
}
