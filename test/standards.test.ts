import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Requirement } from "./standards/requirement.ts";
import recorded from "./standards/passed.json" with { type: "json" };
import { pageOf, standards } from "./standards/tables.ts";
import { statements, testedStatements } from "./support/statements.ts";

const root = join(import.meta.dir, "..");
const tested = testedStatements(root);
const passed = new Map(Object.entries<number>(recorded));
const promised = new Set(statements(readFileSync(join(root, "SECURITY.md"), "utf8")).map(({ id }) => id));

describe.each(standards)("the chapter about $title", (standard) => {
  const all = standard.chapters.flatMap(([, requirements]) => requirements);

  test("names promises alone that are in SECURITY.md and have a test", () => {
    const ids = [...new Set(all.flatMap((each) => each.ids))];
    expect(ids.length).toBeGreaterThan(14);
    expect(ids.filter((id) => !promised.has(id) || !tested.has(id))).toEqual([]);
  });

  test("names promises alone that had a test that passed when the page was made", () => {
    const ids = new Set(all.flatMap((each) => each.ids));
    expect([...ids].filter((id) => (passed.get(id) ?? 0) === 0)).toEqual([]);
  });

  test("has a test for whatever it says is met, wholly or in part", () => {
    const bare = new Set<Requirement["but"]>(["does not apply", "not met", "not tried"]);
    const untested = all.filter(({ ids, but }) => ids.length === 0 && !bare.has(but));
    expect(untested).toEqual([]);
  });

  test("is what `bun test/standards/write.ts` makes", () => {
    expect(readFileSync(join(root, standard.path), "utf8")).toBe(pageOf(standard, passed));
  });
});
