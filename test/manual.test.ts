import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { chapters } from "./support/manual.ts";
import { headings } from "./support/markdown.ts";

const root = join(import.meta.dir, "..");
const files = [...new Bun.Glob("src/docs/**/*.md").scanSync({ cwd: root })].toSorted();
const index = await Bun.file(join(root, "MANUAL.md")).text();

test("the index has every chapter once, by its name, with what is in it", () => {
  expect(chapters.length).toBeGreaterThan(30);
  expect(chapters.map(({ path }) => path).toSorted()).toEqual(files);
  const lines = index.split("\n").filter((line) => line.startsWith("- "));
  const wanted = chapters.map(({ path, text }) => `- [${headings(text)[0]?.text}](${path}): `);
  expect(lines.map((line, at) => line.slice(0, wanted[at]?.length))).toEqual(wanted);
  expect(lines.filter((line, at) => line.length < (wanted[at]?.length ?? 0) + 5)).toEqual([]);
});

test("a chapter has one title, above everything, and at most 300 lines", () => {
  const titles = chapters.map(({ text }) => headings(text).filter(({ level }) => level === 1).length);
  expect(titles.filter((count) => count !== 1)).toEqual([]);
  expect(chapters.filter(({ text }) => !text.startsWith("# ")).map(({ path }) => path)).toEqual([]);
  const long = chapters.filter(({ text }) => text.trimEnd().split("\n").length > 300);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("a folder has the chapters of one part of the index, 15 at most", () => {
  const parts = index
    .split("\n## ")
    .map((part) => [...part.matchAll(/\]\((src\/docs\/[^)#]+)\)/g)].map(([, path = ""]) => dirname(path)))
    .filter((folders) => folders.length > 0);
  const folders = parts.map(([folder = ""]) => folder);
  expect(parts.map((part) => new Set(part).size)).toEqual(parts.map(() => 1));
  expect(folders).toEqual([...new Set(folders)]);
  expect(parts.filter((part) => part.length > 15)).toEqual([]);
});
