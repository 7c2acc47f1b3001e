import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { functionsOf } from "./support/functions.ts";

const root = join(import.meta.dir, "..", "src");
const mostOwnLines = 60;

const longOf = (path: string, text: string): string[] =>
  functionsOf(path, text)
    .filter(({ ownLines }) => ownLines > mostOwnLines)
    .map(({ name, ownLines }) => `${path}: ${name} has ${ownLines} lines of its own`);

test(`no function in src has more than ${mostOwnLines} lines of its own, factories and tables of routes included`, () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((path) => longOf(path, readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("a function is measured whichever way it is written and wherever it stands", () => {
  const named = (name: string) => [`one.ts: ${name} has ${mostOwnLines + 1} lines of its own`];
  const inLines = (count: number, head: string, tail = "}") =>
    longOf("one.ts", `${head} {${"\n".repeat(count - 1)}${tail}`);
  const long = (head: string, tail?: string) => inLines(mostOwnLines + 1, head, tail);
  expect(long("function declared()")).toEqual(named("declared"));
  expect(long("const arrow = async () =>")).toEqual(named("arrow"));
  expect(long("const object = { method()", "} };")).toEqual(named("method"));
  expect(long("class Kind { method()", "} }")).toEqual(named("method"));
  expect(long("call(() =>", "});")).toEqual(named("(anonymous)"));
  expect(long("const createX = () => () =>")).toEqual(named("(anonymous)"));
  expect(long("const createX = () =>")).toEqual(named("createX"));
  expect(long("function watchX()")).toEqual(named("watchX"));
  expect(long("const xRoutes = () => new Elysia(", "});")).toEqual(named("xRoutes"));
  expect(inLines(mostOwnLines, "function short()")).toEqual([]);
});

test("of a function inside another one the outer one is charged for the first line alone", () => {
  const inLines = (count: number): string => "\n".repeat(count - 1);
  const inner = `const inner = () => {${inLines(40)}};`;
  const ownLinesOf = (text: string) => functionsOf("one.ts", text).map(({ name, ownLines }) => [name, ownLines]);
  expect(ownLinesOf(`function outer() {${inLines(30)}${inner}\n}`)).toEqual([
    ["inner", 40],
    ["outer", 31],
  ]);
  expect(ownLinesOf(`const outer = () => {\n${inner}\n${inner}\n};`)).toEqual([
    ["inner", 40],
    ["inner", 40],
    ["outer", 4],
  ]);
  expect(ownLinesOf(`const table = () => chain()\n.get("/", () => {\nconst deep = () => {\n};\n}, {\n});`)).toEqual([
    ["deep", 2],
    ["(anonymous)", 3],
    ["table", 3],
  ]);
});
