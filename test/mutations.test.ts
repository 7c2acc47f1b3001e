import { expect, test } from "bun:test";
import { join } from "node:path";
import { mutations } from "./mutations/list.ts";

const root = join(import.meta.dir, "..");

test("every mutation matches one place of the source, and names tests that there are", async () => {
  for (const { name, file, from, tests } of mutations) {
    const text = await Bun.file(join(root, file)).text();
    expect({ name, places: text.split(from).length - 1 }).toEqual({ name, places: 1 });
    for (const path of tests)
      expect({ path, exists: await Bun.file(join(root, path)).exists() }).toEqual({ path, exists: true });
  }
});
