import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allTableRows } from "./markdown.ts";

/** The id of a promise in SECURITY.md: a letter for its chapter and a number, of three digits in the one chapter that has so many. */
export const statementId = /\b(?:[PLCTGNFXMAVWUESRIDBKHOYZQJ]-\d{2}|O-1\d{2})\b/g;

export const statementsIn = (text: string): string[] => [...text.matchAll(statementId)].map(([id]) => id);

export interface Statement {
  readonly id: string;
  /** Whether a test must prove the promise: its last column says so if it is not built, not tested or left out. */
  readonly tested: boolean;
  readonly how: string;
}

/** Returns the promises of SECURITY.md, in order. */
export const statements = (markdown: string): Statement[] =>
  allTableRows(markdown)
    .filter(({ kind }) => kind === "id")
    .map(({ cells: [id = "", , how = ""] }) => ({
      id,
      how,
      tested: !/^(?:not built yet|not tested yet|left out)/.test(how),
    }));

/** A quoted text followed by a function: the first arguments of `test` and `describe`, also of their `each` and `skipIf`. */
const nameOfTest = /\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*,\s*(?:async\b|\(|function\b)/g;

/** Returns every promise in the name of a test or of a group of tests, with the files of these names. */
export function testedStatements(root: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of new Bun.Glob("test/**/*.{test,cases}.{ts,tsx}").scanSync({ cwd: root })) {
    const source = readFileSync(join(root, path), "utf8");
    const ids = [...source.matchAll(nameOfTest)].flatMap(([, , name = ""]) => statementsIn(name));
    for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), path]);
  }
  return found;
}
