import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { judgeFont, readFont } from "../../src/http/pages/brand/font.ts";
import { makeFont } from "../support/woff2.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-font-"));
afterAll(() => rm(folder, { recursive: true }));
const font = makeFont();

/** Returns the font with some of its bytes replaced. */
function changed(at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = font.slice();
  copy.set(bytes, at);
  return copy;
}

/** Returns a font of one table that says how large it is unpacked, and has that for its packed part. */
function claiming(directory: readonly number[], packed: Uint8Array): Uint8Array {
  const header = Buffer.from(font.subarray(0, 48));
  const bytes = Buffer.concat([header, Uint8Array.from(directory), packed]);
  bytes.writeUInt32BE(bytes.length, 8);
  bytes.writeUInt16BE(1, 12);
  bytes.writeUInt32BE(packed.length, 20);
  return bytes;
}

const damaged = { wrong: "is a WOFF2 file that is damaged" };
const none = { wrong: "must be a WOFF2 file" };
const packedZeros = (count: number): Uint8Array => brotliCompressSync(new Uint8Array(count));

test("a font is read with its weights: those of a variable one, so that no browser makes a bold one of its own", () => {
  expect(judgeFont(font)).toEqual({ weight: "normal" });
  expect(judgeFont(makeFont({ weights: [200, 800] }))).toEqual({ weight: "200 800" });
  expect(judgeFont(makeFont({ flavor: 0x4f54544f }))).toEqual({ weight: "normal" });
  const path = join(folder, "font.woff2");
  writeFileSync(path, font);
  expect(readFont(path)).toMatchObject({
    type: "font/woff2",
    path: expect.stringMatching(/^\/brand\/font\.[\da-f]{16}\.woff2$/),
  });
});

const wrong: Readonly<Record<string, readonly [bytes: Uint8Array, complaint: { readonly wrong: string }]>> = {
  "an empty file": [new Uint8Array(), none],
  "four bytes alone": [font.slice(0, 4), none],
  "a page": [Buffer.from(`<!doctype html><title>404</title>${" ".repeat(200)}`), none],
  "a TrueType font": [changed(0, 0, 1, 0, 0), none],
  "the older format": [changed(3, 0x46), none],
  "a collection": [
    makeFont({ flavor: 0x74746366 }),
    { wrong: "is a collection of fonts: save the one that is meant as a file of its own" },
  ],
  "another flavour": [makeFont({ flavor: 0x12345678 }), damaged],
  "a header alone": [claiming([], new Uint8Array()), damaged],
  "half a download": [font.slice(0, font.length / 2), damaged],
  "one byte less": [font.slice(0, -1), damaged],
  "one byte more": [Buffer.concat([font, new Uint8Array(1)]), damaged],
  "a reserved field": [changed(14, 0, 1), damaged],
  "no table": [changed(12, 0, 0), damaged],
  "more tables than there are": [changed(12, 0, 40), damaged],
  "tables without an end": [changed(12, 0xff, 0xff), damaged],
  "a packed part beyond the end": [changed(20, 0, 0xff, 0xff, 0xff), damaged],
  "a packed part of nothing": [changed(20, 0, 0, 0, 0), damaged],
  "bytes that are not packed": [changed(font.length - 60, ...new Uint8Array(40).fill(0xff)), damaged],
  "a number with a zero before it": [claiming([0, 0x80, 0x01], packedZeros(1)), damaged],
  "a number of six bytes": [claiming([0, 0x81, 0x80, 0x80, 0x80, 0x80, 0], packedZeros(1)), damaged],
  "a number of more than 32 bits": [claiming([0, 0xff, 0xff, 0xff, 0xff, 0x7f], packedZeros(1)), damaged],
  "a table that is longer than it says": [claiming([0, 10], packedZeros(11)), damaged],
  "a table that is shorter than it says": [claiming([0, 10], packedZeros(9)), damaged],
  "megabytes in a few bytes": [claiming([0, 0x84, 0x80, 0x80, 0x80, 0], packedZeros(9 * 1024 * 1024)), damaged],
  "megabytes that say they are few bytes": [claiming([0, 100], packedZeros(9 * 1024 * 1024)), damaged],
  "axes that are cut off": [
    claiming([47, 12], brotliCompressSync(Uint8Array.from([0, 1, 0, 0, 0, 16, 0, 2, 0, 1, 0, 20]))),
    damaged,
  ],
  "axes beyond the table": [
    claiming([47, 16], brotliCompressSync(Uint8Array.from([0, 1, 0, 0, 0xff, 0xff, 0, 2, 0, 9, 0, 20, 0, 0, 0, 0]))),
    damaged,
  ],
  "weights that no style sheet has": [makeFont({ weights: [0, 5_000] }), damaged],
  "weights from heavy to light": [makeFont({ weights: [800, 200] }), damaged],
};

describe("A-15 what is no font, or a damaged one, is refused", () => {
  test.each(Object.keys(wrong))("%s", (name) => {
    const [bytes, complaint] = wrong[name] ?? [font, none];
    expect(judgeFont(bytes)).toEqual(complaint);
  });

  test("whichever byte of its directory is another", () => {
    for (let at = 0; at < 100; at += 1)
      for (const flip of [0x01, 0x80, 0xff]) {
        const started = performance.now();
        const judged = judgeFont(changed(at, (font[at] ?? 0) ^ flip));
        expect([at, "weight" in judged || "wrong" in judged]).toEqual([at, true]);
        expect(performance.now() - started).toBeLessThan(1_000);
      }
  });

  test("too large, absent, or no file", () => {
    const large = join(folder, "large.woff2");
    writeFileSync(large, Buffer.concat([font, new Uint8Array(300 * 1024)]));
    expect(readFont(large)).toEqual({
      wrong: `must be at most 300 KiB, and this file has ${300 * 1024 + font.length} bytes`,
    });
    expect(readFont(join(folder, "absent.woff2"))).toEqual({ wrong: "can't be read (ENOENT)" });
    for (const path of [folder, "/dev/zero"]) expect(readFont(path)).toEqual({ wrong: "must be a file" });
  });
});
