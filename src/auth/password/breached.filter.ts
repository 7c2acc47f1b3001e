import { contentHash } from "../../core/crypto.ts";

// A binary fuse filter (Graf and Lemire, 2022): a table of 16-bit numbers in which each password of a list has three places, whose numbers
// together make the password's fingerprint. A password of the list is always found. Any other password is wrongly found in 1 of 65,536
// cases.

/** The layout of the table. The three places of a password lie in neighbouring segments. */
export interface FilterShape {
  /** Chosen when the filter is made: another seed spreads the passwords otherwise. */
  readonly seed: number;
  /** Places in a segment, a power of two. */
  readonly segmentLength: number;
  /** Segments in which the first place of a password can lie; two more follow them. */
  readonly firstSegments: number;
}

interface Trace {
  readonly places: readonly [number, number, number];
  readonly fingerprint: number;
}

/** A file begins with `GBP1`, then the number of passwords and the shape: five numbers of 32 bits, little-endian, as all numbers here. */
const mark = 0x31_50_42_47;
const headerBytes = 20;

export const tableLength = ({ segmentLength, firstSegments }: FilterShape): number =>
  (firstSegments + 2) * segmentLength;

/** Folds a password. Passwords that differ only in the case of their letters count as one: to try them all is little work for an attacker. */
export const foldPassword = (password: string): string => password.normalize("NFC").toLowerCase();

/** Returns where the numbers of a password lie, and what they make together. */
export function traceOf(folded: string, { seed, segmentLength, firstSegments }: FilterShape): Trace {
  const digest = contentHash(`${seed} ${folded}`);
  const word = (index: number): number => Number.parseInt(digest.slice(index * 8, index * 8 + 8), 16);
  const first = Math.floor((word(0) / 2 ** 32) * firstSegments) * segmentLength;
  const within = (index: number): number => word(index) % segmentLength;
  return {
    places: [first + within(1), first + segmentLength + within(2), first + 2 * segmentLength + within(3)],
    fingerprint: word(4) % 2 ** 16,
  };
}

export function packFilter(size: number, shape: FilterShape, table: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + table.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [mark, size, shape.seed, shape.segmentLength, shape.firstSegments].entries())
    view.setUint32(index * 4, value, true);
  for (const [index, value] of table.entries()) view.setUint16(headerBytes + index * 2, value, true);
  return bytes;
}

/** Reads the file of a filter, and throws when it is not whole. The bytes stay in use: nothing is copied. */
export function readFilter(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < headerBytes || view.getUint32(0, true) !== mark)
    throw new Error("the file of breached passwords is no filter");
  const [size, seed, segmentLength, firstSegments] = [
    view.getUint32(4, true),
    view.getUint32(8, true),
    view.getUint32(12, true),
    view.getUint32(16, true),
  ];
  const shape: FilterShape = { seed, segmentLength, firstSegments };
  if (bytes.byteLength !== headerBytes + tableLength(shape) * 2)
    throw new Error("the file of breached passwords is cut off or damaged");
  const numberAt = (place: number): number => view.getUint16(headerBytes + place * 2, true);
  return {
    size,
    has(password: string): boolean {
      const { places, fingerprint } = traceOf(foldPassword(password), shape);
      return (numberAt(places[0]) ^ numberAt(places[1]) ^ numberAt(places[2])) === fingerprint;
    },
  };
}

export type BreachedFilter = ReturnType<typeof readFilter>;
