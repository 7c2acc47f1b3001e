import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { variables } from "../src/config/index.ts";
import { chapters } from "./support/manual.ts";

// What the manual prints to be run is run by a test, or says why it is not: an example that nobody runs is wrong one day.
const root = join(import.meta.dir, "..");
const languages = "sh bash ts tsx js jsx mjs vue svelte astro html python go nginx caddyfile yaml json toml sql".split(
  " ",
);
const tests = [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: root })]
  // These read tables and headings, and run nothing.
  .filter((path) => !/^test\/(?:docs|manual|snippets|site\/\w+)\.test\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), "utf8"))
  // What reads chapters by itself, or by a fixture that does.
  .filter((text) => /\/(?:manual|markdown|[\w.]*fixture|quick\.start)\.ts"/.test(text))
  .join("\n");

interface Snippet {
  /** The chapter, and the place in it. */
  readonly place: string;
  readonly language: string;
  /** What stands beside the language: the file that the block is, or why it is not run. */
  readonly info: string;
  readonly text: string;
  /** The heading above it, and the names of its chapter: a test that runs it has one of these words. */
  readonly names: readonly string[];
}

const snippets: readonly Snippet[] = chapters.flatMap(({ path, text }) => {
  const file = path.slice(path.lastIndexOf("/") + 1);
  let above = "";
  return [...text.matchAll(/^```(\S*)([^\n]*)\n([\s\S]*?)^```$|^(#+) (.+)$/gm)].flatMap(
    ([, language = "", info = "", block = "", marks, heading = ""]) => {
      if (marks === undefined) {
        const names = [JSON.stringify(above), JSON.stringify(file), `Guide("${file.replace(".md", "")}"`];
        return [{ place: `${path}: ${block.split("\n")[0] ?? ""}`, language, info: info.trim(), text: block, names }];
      }
      above = heading;
      return [];
    },
  );
});

const runnable = snippets.filter(({ language }) => languages.includes(language));
/** What is printed for a reader to compare with, or a piece of something, with the reason why it can't be run by itself. */
const marked = /^(?:output|fragment="([^"]*)")$/;
const setting = /^(?:#.*|([A-Z][A-Z0-9_]*)=(?:"[^"]*"?|[^\s"]*)(?:\s+#.*)?|-----END .*|[\w+/=]{20,})$/;
const isSettings = ({ language, text }: Snippet): boolean =>
  language === "sh" &&
  text
    .trimEnd()
    .split("\n")
    .every((line) => setting.test(line));
const isRun = ({ names }: Snippet): boolean => names.some((name) => tests.includes(name));

test("each block of the manual that can be run is run by a test, or says why not", () => {
  expect(runnable.length).toBeGreaterThan(100);
  const forgotten = runnable.filter((snippet) => !marked.test(snippet.info) && !isSettings(snippet) && !isRun(snippet));
  expect(forgotten.map(({ place }) => place)).toEqual([]);
});

test("a reason is a few words, and fewer blocks have one than are run", () => {
  const reasons = runnable.flatMap(({ info }) => marked.exec(info)?.[1] ?? []);
  expect(reasons.filter((reason) => reason.split(" ").length < 3)).toEqual([]);
  expect(reasons.length * 2).toBeLessThan(runnable.length);
});

test("settings that chapters print are variables that there are", () => {
  const known = variables.map(
    ({ name }) => new RegExp(`^(?:APP_|ADMIN_)?${name.replace("<NAME>", "[A-Z0-9_]+")}(?:_FILE)?$`),
  );
  const settings = runnable.filter((snippet) => isSettings(snippet) && !marked.test(snippet.info));
  const names = settings.flatMap(({ place, text }) =>
    text
      .split("\n")
      .flatMap((line) => (setting.exec(line)?.[1] === undefined ? [] : [[place, setting.exec(line)?.[1] ?? ""]])),
  );
  expect(names.length).toBeGreaterThan(15);
  const unknown = names.filter(([, name = ""]) => !known.some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);
});
