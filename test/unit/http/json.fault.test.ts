import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonFaultIn } from "../../../src/http/request/json.fault.ts";

const deepest = 20;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ["", 1, 1],
  ["{", 1, 2],
  ['{"a":1,}', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"é😀":"\\x"}', 1, 8],
  ['{"a":"x\ty"}', 1, 8],
  ["[1, 01]", 1, 6],
  ["[tru]", 1, 2],
  ["{} {}", 1, 4],
  ["\ufeff{}", 1, 1],
])("the fault of %j is at line %d, column %d", (text, line, column) => {
  expect(jsonFaultIn(text, deepest)).toEqual({ line, column });
});

test("a fault is found exactly where JSON.parse finds one: what stands before it can be gone on with, one more character can't", () => {
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom("", '"', "\\", "{", "]", ",", ":", "0", "e", "\u0000", "\n", "x"),
    )
    .map(([json, at, put]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + put + json.slice(place + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      const { line, column } = jsonFaultIn(text, deepest);
      const lines = text.split("\n");
      const place = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      const at = place + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
      // Sound JSON has its fault past its end. In any other text the fault comes earlier, or the text ends too soon.
      expect(isJson(text)).toBe(at === text.length && isJson(text.slice(0, at)));
    }),
    { numRuns: 2_000 },
  );
});

test("a text of any depth and length is read in no time", () => {
  for (const text of [
    "[".repeat(65_000),
    `"${"a".repeat(65_000)}`,
    `"${"\\n".repeat(32_000)}`,
    "1".repeat(65_000) + "x",
  ]) {
    const started = performance.now();
    jsonFaultIn(text, deepest);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});
