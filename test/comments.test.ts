import { expect, test } from "bun:test";
import { parseSync } from "oxc-parser";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// A comment stands alone, so that it stays true when its neighbour moves, and says who does what.
const root = join(import.meta.dir, "..");
const beginnings = /^(?:The same\b|So many\b|Of\b)/;
const words = /\b(?:whoever|would else|be it)\b/i;

function findIn(path: string): string[] {
  const { comments } = parseSync(path, readFileSync(join(root, path), "utf8"));
  return comments.flatMap(({ value }) => {
    const text = value
      .replaceAll(/^\s*\*+ ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    return beginnings.test(text) || words.test(text) ? [`${path}: ${text.slice(0, 90)}`] : [];
  });
}

test.each(["src", "test", "migrations"])("no comment in %s begins in the middle of a thought", (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.flatMap((name) => findIn(join(folder, name)))).toEqual([]);
});
