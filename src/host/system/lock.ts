import { dlopen } from "bun:ffi";
import { closeSync, constants, openSync } from "node:fs";

const exclusiveNoWait = 2 | 4;
/** Names of the system's C library: GNU's, or musl's. */
const libraries = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`];

function openLibrary() {
  let cause: unknown;
  for (const name of libraries) {
    try {
      return dlopen(name, { flock: { args: ["i32", "i32"], returns: "i32" } });
    } catch (error) {
      cause = error;
    }
  }
  throw new Error("the C library can't be called", { cause });
}

/**
 * Takes the lock of a file and returns its release; undefined if another process holds the lock. The kernel releases a lock when its
 * process ends, however it ends, so none is ever left behind. The file itself stays, and means nothing.
 */
export function takeLock(path: string): (() => void) | undefined {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const library = openLibrary();
  try {
    if (library.symbols.flock(file, exclusiveNoWait) === 0) return () => closeSync(file);
  } finally {
    library.close();
  }
  closeSync(file);
  return undefined;
}
