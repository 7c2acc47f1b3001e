import { brotliDecompressSync } from "node:zlib";
import { contentHash } from "../../../core/crypto.ts";
import { isWrong, readSmallFile, type Wrong } from "./file.ts";
import type { BrandFile } from "./files.ts";

export interface Font extends BrandFile {
  /** The weights that the file has, as `font-weight` of `@font-face` says them. A browser makes a bold one itself where there is but one. */
  readonly weight: string;
}

const mostKib = 300;
/** Far more than fonts of that size unpack to: a small file may stand for a very large one. */
const mostUnpackedBytes = 8 * 1024 * 1024;
const mostTables = 128;
const headerBytes = 48;
const flavors: ReadonlySet<number> = new Set([0x00010000, 0x4f54544f, 0x74727565]);
/** Tables by their number in the list of known tags (WOFF 2.0, 4.1). */
const known = { glyf: 10, loca: 11, fvar: 47, none: 63 } as const;

const notWoff2 = { wrong: "must be a WOFF2 file" };
const damaged = { wrong: "is a WOFF2 file that is damaged" };

class Damaged extends Error {}

/** Reads numbers one after the other; throws beyond the end. */
function createNumbers(bytes: Uint8Array, start: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  function take(size: 1 | 2 | 4): number {
    if (at + size > bytes.length) throw new Damaged();
    at += size;
    if (size === 1) return view.getUint8(at - 1);
    return size === 2 ? view.getUint16(at - 2) : view.getUint32(at - 4);
  }
  return {
    take,
    at: () => at,
    /** A number in base 128, of at most five bytes and 32 bits, without leading zeros (WOFF 2.0, 4.1). */
    take128(): number {
      let number = 0;
      for (let index = 0; index < 5; index += 1) {
        const byte = take(1);
        if (index === 0 && byte === 0x80) throw new Damaged();
        number = number * 128 + (byte & 0x7f);
        if (number > 0xffffffff) throw new Damaged();
        if ((byte & 0x80) === 0) return number;
      }
      throw new Damaged();
    },
  };
}

interface Table {
  readonly isVariations: boolean;
  readonly bytes: number;
}

/** Reads the directory of tables: how many bytes each has once all are unpacked. */
function readTables(bytes: Uint8Array, count: number): { readonly tables: readonly Table[]; readonly end: number } {
  const numbers = createNumbers(bytes, headerBytes);
  const tables: Table[] = [];
  for (let index = 0; index < count; index += 1) {
    const flags = numbers.take(1);
    const [number, version] = [flags & 0x3f, flags >> 6];
    const tag = number === known.none ? numbers.take(4) : undefined;
    const plain = numbers.take128();
    // The tables of outlines are transformed by version 0, and every other one by any version but that.
    const isOutline = number === known.glyf || number === known.loca;
    const isTransformed = isOutline ? version !== 3 : version !== 0;
    tables.push({
      isVariations: (number === known.fvar || tag === 0x66766172) && !isTransformed,
      bytes: isTransformed ? numbers.take128() : plain,
    });
  }
  return { tables, end: numbers.at() };
}

/** Reads the range of weights of a variable font (OpenType, `fvar`); undefined for a font of other axes. */
function weightsIn(table: Uint8Array): string | undefined {
  const head = createNumbers(table, 4);
  const [first] = [head.take(2), head.take(2)];
  const [axes, size] = [head.take(2), head.take(2)];
  for (let index = 0; index < Math.min(axes, 64); index += 1) {
    const axis = createNumbers(table, first + index * size);
    if (axis.take(4) !== 0x77676874) continue;
    const [least, , most] = [axis.take(4), axis.take(4), axis.take(4)].map((fixed) => Math.round(fixed / 65_536));
    if (least === undefined || most === undefined || least < 1 || most > 1000 || least >= most) throw new Damaged();
    return `${least} ${most}`;
  }
  return undefined;
}

/** Unpacks the font, which shows that it is whole, and returns the weights that it has. */
function unpackedWeight(bytes: Uint8Array, count: number, packed: number): string {
  const { tables, end } = readTables(bytes, count);
  const total = tables.reduce((sum, table) => sum + table.bytes, 0);
  if (total > mostUnpackedBytes || end + packed > bytes.length) throw new Damaged();
  const unpacked = brotliDecompressSync(bytes.subarray(end, end + packed), { maxOutputLength: total + 1 });
  if (unpacked.length !== total) throw new Damaged();
  let start = 0;
  for (const { isVariations, bytes: size } of tables) {
    const weights = isVariations ? weightsIn(unpacked.subarray(start, start + size)) : undefined;
    if (weights !== undefined) return weights;
    start += size;
  }
  return "normal";
}

/** Judges the bytes of a font, and returns its weights (W3C, WOFF File Format 2.0, 4). */
export function judgeFont(bytes: Uint8Array): { readonly weight: string } | Wrong {
  if (bytes.length < headerBytes || new TextDecoder("latin1").decode(bytes.subarray(0, 4)) !== "wOF2") return notWoff2;
  const numbers = createNumbers(bytes, 4);
  const [flavor, length] = [numbers.take(4), numbers.take(4)];
  const [count, reserved] = [numbers.take(2), numbers.take(2)];
  const [, packed] = [numbers.take(4), numbers.take(4)];
  if (flavor === 0x74746366)
    return { wrong: "is a collection of fonts: save the one that is meant as a file of its own" };
  if (!flavors.has(flavor) || length !== bytes.length || reserved !== 0 || count < 1 || count > mostTables)
    return damaged;
  try {
    return { weight: unpackedWeight(bytes, count, packed) };
  } catch {
    // Which part is broken makes no difference: another file has to be brought.
    return damaged;
  }
}

/** Reads a font, or says what is wrong with it in words that follow the variable's name. */
export function readFont(path: string): Font | Wrong {
  const body = readSmallFile(path, mostKib);
  if (isWrong(body)) return body;
  const judged = judgeFont(body);
  if (isWrong(judged)) return judged;
  return {
    path: `/brand/font.${contentHash(body).slice(0, 16)}.woff2`,
    type: "font/woff2",
    body,
    weight: judged.weight,
  };
}
