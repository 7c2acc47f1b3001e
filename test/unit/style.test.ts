import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..", "src");
const common = ["tokens", "base", "parts", "lists", "entry"].map((name) => `http/pages/style/${name}.css`);
/** Both kits have it: the pages that browsers write, and those of the server. */
const account = "http/pages/style/account.css";
/** The sheets of each kind of page, besides the common ones. */
const pages = {
  account: [account, ...["factors", "style"].map((name) => `account/browser/style/${name}.css`)],
  kit: [account, "kit/style.css"],
  staff: ["kit/style.css", ...new Bun.Glob("staff/**/*.css").scanSync(root)],
  programs: ["idp/pages/style.css"],
  lighthouse: ["inspect/pages/style.css", "inspect/pages/timeline.css"],
  reference: ["http/docs/page/style.css"],
} as const;

/** Returns the classes that a sheet gives a look wherever they are: a rule for `.name` alone, and not for `.name` within something. */
function classesOf(path: string): readonly string[] {
  const sheet = readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return [...sheet.matchAll(/([^{}]+)\{/g)]
    .flatMap(([, selectors = ""]) => selectors.split(/,(?![^(]*\))/))
    .flatMap((selector) => /^\.([a-z][\w-]*)$/.exec(selector.trim())?.[1] ?? []);
}

test.each(Object.entries(pages))("no class means two things on a page: %s", (_page, own) => {
  const owners = new Map<string, Set<string>>();
  for (const path of [...common, ...own])
    for (const name of classesOf(path)) owners.set(name, (owners.get(name) ?? new Set()).add(path));
  expect(owners.size).toBeGreaterThan(20);
  expect([...owners].filter(([, paths]) => paths.size > 1)).toEqual([]);
});
