import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../core/errors.ts";
import { decodeUtf8 } from "../../core/text/text.ts";

const largestSecretBytes = 64 * 1024;

export type SecretFile =
  | { readonly value: string; /** Whether others than its owner can read it. */ readonly exposed: boolean }
  /** The fault of the file. It repeats neither content nor path, which may be a secret in the wrong place. */
  | { readonly wrong: string };

/** Reads at most one byte more than the limit, whatever size the file claims. */
function readBytes(file: number): Uint8Array {
  const bytes = new Uint8Array(largestSecretBytes + 1);
  let size = 0;
  for (;;) {
    const read = readSync(file, bytes, size, bytes.length - size, null);
    size += read;
    if (read === 0 || size === bytes.length) return bytes.subarray(0, size);
  }
}

/**
 * Reads a secret from a file, without the one line end that editors and `echo` add. With `lines` false, a secret of several lines is
 * refused: it was broken by accident. A file of another user may be readable by a group, since that is how this process can read it.
 */
export function readSecretFile(path: string, { lines }: { readonly lines: boolean }): SecretFile {
  let file: number;
  try {
    // Non-blocking, so that a named pipe without a writer can't hold up the start.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { wrong: `can't be read (${errorCode(error)})` };
  }
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) return { wrong: "is a folder" };
    if (!status.isFile()) return { wrong: "is not a regular file" };
    const bytes = readBytes(file);
    if (bytes.length > largestSecretBytes) return { wrong: `is larger than ${largestSecretBytes / 1024} KiB` };
    const value = decodeUtf8(bytes)?.replace(/\r?\n$/, "");
    if (value === undefined) return { wrong: "is not UTF-8 text" };
    if (value === "") return { wrong: "is empty" };
    if (value.includes("\0")) return { wrong: "holds a NUL character" };
    if (!lines && /[\r\n]/.test(value)) return { wrong: "holds more than one line" };
    const others = status.uid === process.getuid?.() ? 0o077 : 0o007;
    return { value, exposed: (status.mode & others) !== 0 };
  } catch (error) {
    return { wrong: `can't be read (${errorCode(error)})` };
  } finally {
    closeSync(file);
  }
}
