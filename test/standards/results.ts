import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { statementsIn } from "../support/statements.ts";

const testCase = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(\/)?>/g;

/**
 * Reads the JUnit reports of a folder. Returns for each promise how many tests that name it, or whose group does, have passed: a test that ran
 * both from the sources and against the binary is one.
 */
export function passedIn(folder: string): ReadonlyMap<string, number> {
  const passed = new Map<string, Set<string>>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".xml")))
    for (const [, name = "", group = "", isWhole] of readFileSync(join(folder, file), "utf8").matchAll(testCase))
      // A test that failed or was skipped has an element inside.
      if (isWhole !== undefined)
        for (const id of statementsIn(`${group} ${name}`))
          passed.set(id, (passed.get(id) ?? new Set()).add(`${group} ${name}`));
  return new Map([...passed].map(([id, names]) => [id, names.size]));
}
