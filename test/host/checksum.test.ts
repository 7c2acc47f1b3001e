import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../src/core/crypto.ts";
import { readChecksum } from "../../src/host/release/beside.ts";
import { sharedFolder } from "../support/folder.ts";

const folder = sharedFolder();
const binary = join(folder, "new-build");
const own = contentHash("a binary");
const read = async (text: string): Promise<string> => {
  await writeFile(`${binary}.sha256`, text);
  return readChecksum(binary, "gatehouse", "copy it");
};

test("D-81 a checksum counts for the binary that it names, by its own name or that of the app", async () => {
  for (const text of [`${own}  gatehouse\n`, `${own} *gatehouse\n`, `${own}  new-build\n`, own])
    expect(await read(text)).toBe(own);
});

test.each([
  [`${own}  another-file\n`, "holds the checksum of another file"],
  [`${own}  ../gatehouse\n`, "holds the checksum of another file"],
  [`${own}  gatehouse\n${contentHash("another")}  another\n`, "holds more than one checksum"],
  [`${own.slice(1)}  gatehouse\n`, "holds no SHA-256"],
  ["", "holds no SHA-256"],
])("D-81 %j is refused in words", async (text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});
