import { crc32 } from "node:zlib";

export interface ZipEntry {
  /** The path from the archive's root, without a leading slash. */
  readonly path: string;
  readonly file: Uint8Array;
}

/** 1980-01-01, the first day that the format knows (APPNOTE 4.4.6). */
const firstDay = 0x21;
const localHeaderBytes = 30;
const version = 20;
/** A file that its owner writes and everybody reads, as Unix has it. */
const mode = 0o100644;
const unix = 3;

/**
 * Writes an archive in the format of PKWARE's APPNOTE.TXT. Files are stored as they are, and all have the same time: how a text is compressed
 * differs between machines, and equal sources have to make equal archives.
 */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { path, file } of entries) {
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    // The bit says that names are UTF-8.
    facts.writeUInt16LE(version, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(firstDay, 8);
    facts.writeUInt32LE(crc32(file), 10);
    facts.writeUInt32LE(file.byteLength, 14);
    facts.writeUInt32LE(file.byteLength, 18);
    facts.writeUInt16LE(name.byteLength, 22);
    locals.push(Buffer.from("PK\u0003\u0004"), facts, name, file);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((mode << 16) >>> 0, 6);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([version, unix]), facts, place, name);
    at += localHeaderBytes + name.byteLength + file.byteLength;
  }
  const size = directory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(at, 12);
  return new Uint8Array(Buffer.concat([...locals, ...directory, Buffer.from("PK\u0005\u0006"), end]));
}
