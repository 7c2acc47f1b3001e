import { expect, test } from "bun:test";
import { drawIcon } from "../../src/http/pages/brand/icon.ts";

const colours = { ground: "#123456", letter: "#ffffff" };

test.each([
  ["acme", "A"],
  [" Acme", "A"],
  ["x", "X"],
  ["7 Seas", "7"],
  ["élan", "É"],
  ["e\u0301lan", "E\u0301"],
  ["한국", "한"],
  ["🇨🇭 Post", "🇨🇭"],
  ["<b>", "&lt;"],
])("the sign of %j has what its readers take for its first letter", (product, letter) => {
  expect(/>([^<]*)<\/text>/.exec(drawIcon(product, colours))?.[1]).toBe(letter);
});
