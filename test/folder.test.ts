import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

// The folder that holds the repository may have any name, with blanks and letters that a URL writes in another way.
const root = join(import.meta.dir, "..");

test("no file takes the path of a URL for one of the file system: import.meta.dir is that", async () => {
  const taken = /import\.meta\.url\s*\)\s*\.pathname/;
  const found: string[] = [];
  for await (const path of new Glob("{src,test}/**/*.{ts,tsx}").scan({ cwd: root }))
    if (taken.test(await readFile(join(root, path), "utf8"))) found.push(path);
  expect(found).toEqual([]);
});
