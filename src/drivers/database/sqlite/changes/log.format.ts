/**
 * The bytes of SQLite's write-ahead log and of its index, as https://www.sqlite.org/fileformat2.html#walformat and
 * https://www.sqlite.org/walformat.html describe them.
 */

export const indexHeadBytes = 96;
export const logHeadBytes = 32;
export const frameHeadBytes = 24;

const headBytes = indexHeadBytes / 2;
const littleEndianMagic = 0x377f_0682;

export type Checksum = readonly [number, number];

/** The committed state, as every connection sees it. */
export interface IndexHead {
  readonly pageSize: number;
  readonly pageCount: number;
  /** The number of the last committed frame. */
  readonly frames: number;
  /** The checksum over all frames up to the last committed one. */
  readonly checksum: Checksum;
  /** The log's name, which changes with each restart of the log. */
  readonly salt: string;
}

/** Adds words of 32 bits to SQLite's checksum, which depends on their order. */
function addToChecksum([first, second]: Checksum, words: Uint32Array): Checksum {
  let [a, b] = [first, second];
  for (let index = 0; index < words.length; index += 2) {
    a = (a + (words[index] ?? 0) + b) | 0;
    b = (b + (words[index + 1] ?? 0) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

export const isSame = (one: Checksum, other: Checksum): boolean => one[0] === other[0] && one[1] === other[1];

const wordsOf = (bytes: Uint8Array, length: number): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4);

/** Returns undefined while a commit is writing the head. `bytes` must begin at a multiple of four in its buffer. */
export function readIndexHead(bytes: Uint8Array): IndexHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!Buffer.from(bytes.subarray(0, headBytes)).equals(bytes.subarray(headBytes))) return undefined;
  const own: Checksum = [view.getUint32(40, true), view.getUint32(44, true)];
  if (!isSame(addToChecksum([0, 0], wordsOf(bytes, headBytes - 8)), own)) return undefined;
  if (bytes[12] !== 1) return undefined;
  if (bytes[13] !== 0) throw new Error("the write-ahead log has the byte order of another kind of processor");
  const size = view.getUint16(14, true);
  return {
    pageSize: (size & 0xfe00) + ((size & 1) << 16),
    frames: view.getUint32(16, true),
    pageCount: view.getUint32(20, true),
    checksum: [view.getUint32(24, true), view.getUint32(28, true)],
    salt: saltAt(bytes, 32),
  };
}

const saltAt = (bytes: Uint8Array, at: number): string => Buffer.from(bytes.subarray(at, at + 8)).toString("hex");

/** Returns the checksum with which the first frame begins, and the salt; undefined where no log of this kind begins here. */
export function readLogHead(bytes: Uint8Array): { readonly checksum: Checksum; readonly salt: string } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < logHeadBytes || view.getUint32(0) !== littleEndianMagic) return undefined;
  const checksum: Checksum = [view.getUint32(24), view.getUint32(28)];
  if (!isSame(addToChecksum([0, 0], wordsOf(bytes, logHeadBytes - 8)), checksum)) return undefined;
  return { checksum, salt: saltAt(bytes, 16) };
}

export interface Frame {
  readonly page: number;
  readonly content: Uint8Array;
  readonly checksum: Checksum;
}

/** Returns the frame in these bytes; undefined where it is not the one that follows. The content is a view, not a copy. */
export function readFrame(bytes: Uint8Array, before: Checksum, salt: string): Frame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (saltAt(bytes, 8) !== salt) return undefined;
  const content = bytes.subarray(frameHeadBytes);
  const begun = addToChecksum(before, wordsOf(bytes, 8));
  const checksum = addToChecksum(begun, wordsOf(content, content.length));
  if (!isSame(checksum, [view.getUint32(16), view.getUint32(20)])) return undefined;
  return { page: view.getUint32(0), content, checksum };
}
