import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../core/error.code.ts";
import { decodeUtf8 } from "../../core/text/text.ts";

const largestSecretBytes = 64 * 1024;

export type SecretFile =
  | { readonly value: string; /** Whether others than its owner can read it. */ readonly exposed: boolean }
  /** What is wrong with the file. Says neither its content nor its path, which may be a secret put in the wrong place. */
  | { readonly wrong: string };

/** Reads at most one byte more than the limit, whatever size the file claims to have. */
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
 * A secret from a file, without the one line end that editors and `echo` add. With `lines` false a secret of several lines is
 * refused, for it was broken by accident. A file that another user owns may be readable by a group, since that is how this
 * process gets at it.
 */
export function readSecretFile(path: string, { lines }: { readonly lines: boolean }): SecretFile {
  let file: number;
  try {
    // A named pipe that nobody writes to must not hold up the start.
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
