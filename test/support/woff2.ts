import { brotliCompressSync } from "node:zlib";

/** Writes numbers of `size` bytes, the most significant byte first. */
const numbers = (size: 1 | 2 | 4, ...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(size * values.length);
  for (const [index, value] of values.entries())
    bytes.writeUIntBE(value < 0 ? 2 ** (size * 8) + value : value, index * size, size);
  return bytes;
};
const words = (...values: readonly number[]): Uint8Array => numbers(2, ...values);
const longs = (...values: readonly number[]): Uint8Array => numbers(4, ...values);
const joined = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

const unitsPerEm = 1_000;
/** Each letter is a box that is as wide as two of its size: no other font sets a text so wide. */
export const widthOfLetter = 2;

const box = joined(words(1, 0, 0, 1_800, 700, 3, 0), numbers(1, 1, 1, 1, 1), words(0, 1_800, 0, -1_800, 0, 0, 700, 0));

/** The tables of a font whose characters from space to ~ are all the same box (OpenType 1.9). */
function tablesOf(weights: readonly [least: number, most: number] | undefined): ReadonlyMap<string, Uint8Array> {
  const advance = unitsPerEm * widthOfLetter;
  const glyph = joined(box, new Uint8Array(box.length % 2));
  const characters = words(4, 40, 0, 4, 4, 1, 0, 0x7e, 0xffff, 0, 0x20, 0xffff, 0, 1, 4, 0);
  const map = joined(words(0, 1, 3, 1), longs(12), characters, words(...Array.from({ length: 95 }, () => 1)));
  map.writeUInt16BE(map.length - 12, 14);
  const names = [1, 2, 3, 4, 6].map((id) => [id, id === 2 ? "Regular" : "Boxes"] as const);
  let offset = 0;
  const records = names.map(([id, text]) => {
    const record = words(3, 1, 0x409, id, text.length * 2, offset);
    offset += text.length * 2;
    return record;
  });
  const strings = names.map(([, text]) => Buffer.from(text, "utf16le").swap16());
  const os2 = joined(
    words(4, advance, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 300, 0),
    new Uint8Array(10),
    longs(1, 0, 0, 0),
    Buffer.from("NONE"),
    words(0x40, 0x20, 0x7e, 800, -200, 200, 900, 200),
    longs(1, 0),
    words(500, 700, 0, 0x20, 1),
  );
  const fixed = (value: number): number => value * 65_536;
  const axes =
    weights &&
    joined(
      words(1, 0, 16, 2, 1, 20, 0, 4),
      Buffer.from("wght"),
      longs(fixed(weights[0]), fixed(weights[0]), fixed(weights[1])),
      words(0, 2),
    );
  return new Map<string, Uint8Array>([
    ["OS/2", os2],
    ["cmap", map],
    ...(axes === undefined ? [] : [["fvar", axes] as const]),
    ["glyf", glyph],
    [
      "head",
      joined(
        words(1, 0, 1, 0),
        longs(0, 0x5f0f3cf5),
        words(3, unitsPerEm),
        longs(0, 0, 0, 0),
        words(0, 0, 1_800, 700, 0, 8, 2, 1, 0),
      ),
    ],
    ["hhea", joined(words(1, 0, 800, -200, 0, advance, 0, 0, advance, 1, 0, 0, 0, 0, 0, 0, 0, 2))],
    ["hmtx", words(advance, 0, advance, 0)],
    ["loca", longs(0, 0, glyph.length)],
    ["maxp", joined(longs(0x00010000), words(2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0))],
    ["name", joined(words(0, names.length, 6 + 12 * names.length), ...records, ...strings)],
    ["post", joined(longs(0x00030000, 0), words(-100, 50), longs(0, 0, 0, 0, 0))],
  ]);
}

const knownTags = "cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep".split(" ");
const base128 = (value: number): Uint8Array => {
  const groups = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Uint8Array.from(groups);
};

interface FontOptions {
  /** The range of weights of a variable font. */
  readonly weights?: readonly [least: number, most: number];
  readonly flavor?: number;
  /** Bytes of a table that means nothing and can't be packed, which makes the file larger. */
  readonly noise?: number;
}

/** Makes a small font as a WOFF2 file (W3C, WOFF File Format 2.0), with its outlines as they are. */
export function makeFont({ weights, flavor = 0x00010000, noise }: FontOptions = {}): Uint8Array<ArrayBuffer> {
  const tables = [...tablesOf(weights)];
  if (noise !== undefined) tables.push(["zzzz", crypto.getRandomValues(new Uint8Array(noise))]);
  const directory = tables.map(([tag, { length }]) => {
    const known = knownTags.indexOf(tag);
    const version = tag === "glyf" || tag === "loca" ? 3 : 0;
    return joined(
      numbers(1, (version << 6) | (known === -1 ? 63 : known)),
      known === -1 ? Buffer.from(tag) : new Uint8Array(),
      base128(length),
    );
  });
  const packed = brotliCompressSync(joined(...tables.map(([, body]) => body)));
  const unpacked = 12 + tables.reduce((sum, [, body]) => sum + 16 + Math.ceil(body.length / 4) * 4, 0);
  const size = 48 + joined(...directory).length + packed.length;
  const length = Math.ceil(size / 4) * 4;
  const header = joined(
    Buffer.from("wOF2"),
    longs(flavor, length),
    words(tables.length, 0),
    longs(unpacked, packed.length),
    words(1, 0),
    longs(0, 0, 0, 0, 0),
  );
  return new Uint8Array(joined(header, ...directory, packed, new Uint8Array(length - size)));
}
