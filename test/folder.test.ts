import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

// The folder that holds the repository may have any name, with blanks and letters that a URL writes in another way.
const root = join(import.meta.dir, "..");

test("no file takes the path of a URL for one of the file system: import.meta.dir is that", async () => {
  const taken = /import\.meta\.url\s*\)\s*\.pathname/;
  const found: string[] = [];
  for await (const path of new Glob("{src,test}/**/*.{ts,tsx}").scan({ cwd: root }))
    if (taken.test(await readFile(join(root, path), "utf8"))) found.push(path);
  expect(found).toEqual([]);
});

test("no folder of src has more than 15 files of code side by side: a larger one gets rooms", async () => {
  const counts = new Map<string, number>();
  for await (const path of new Glob("src/**/*.{ts,tsx,js,css}").scan({ cwd: root }))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(20);
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});
