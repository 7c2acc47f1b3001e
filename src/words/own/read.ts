import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../core/errors.ts";
import { decodeUtf8 } from "../../core/text/text.ts";
import type { Table } from "../tables.ts";
import { judgeWords } from "./judge.ts";
import { quoted } from "./quoted.ts";

const mostFiles = 50;
const mostBytes = 256 * 1024;
/** Nobody reads more. What is left unsaid shows once these are mended. */
const mostProblems = 200;
const mostNameLength = 40;

const tagForm = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

/** Whether a text is the tag of a language (BCP 47) whose plurals, dates and numbers are known, as it is usually written. */
export const isLanguage = (tag: string): boolean =>
  tagForm.test(tag) && canonical(tag) === tag && Intl.PluralRules.supportedLocalesOf([tag]).length > 0;

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Returns the tag that a mistyped one may stand for, such as `pt-BR` for `pt_br`. */
export function languageMeant(written: string): string | undefined {
  const tag = canonical(written.replaceAll("_", "-"));
  return tag !== undefined && isLanguage(tag) ? tag : undefined;
}

export interface OwnWords {
  /** The operator's messages by language. */
  readonly words: ReadonlyMap<string, Table>;
  /** What is wrong, in words that follow the name of the variable. */
  readonly problems: readonly string[];
}

const ending = ".json";

function nameComplaint(name: string): string | undefined {
  const tag = name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
  if (tag !== undefined && isLanguage(tag)) return undefined;
  const meant = name.length > mostNameLength ? undefined : languageMeant(name.replace(/\.json$/i, ""));
  const advice = meant === undefined ? "such as de.json or pt-BR.json" : `is ${meant}${ending} meant?`;
  return `${quoted(name)} is not named by a language, ${advice}`;
}

/** Reads a file, or says why it has no words. */
function textOf(path: string): string | { readonly wrong: string } {
  try {
    const status = statSync(path);
    if (!status.isFile()) return { wrong: "is no file" };
    if (status.size > mostBytes)
      return { wrong: `has ${status.size} bytes, and at most ${mostBytes / 1024} KiB are read` };
    const bytes = readFileSync(path);
    if (bytes.length === 0) return { wrong: "is empty: {} has no words of your own" };
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
      return { wrong: "line 1: begins with a byte order mark: save it as UTF-8 without one" };
    return decodeUtf8(bytes) ?? { wrong: `line ${brokenLine(bytes)}: is not UTF-8` };
  } catch (error) {
    return { wrong: `can't be read (${errorCode(error)})` };
  }
}

/** Returns the first line whose bytes are no UTF-8. A line break is no part of any other character. */
function brokenLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    const until = end === -1 ? bytes.length : end;
    if (decodeUtf8(bytes.subarray(from, until)) === undefined) return line;
    from = until + 1;
  }
  return line;
}

function namesIn(folder: string): readonly string[] | { readonly wrong: string } {
  try {
    // Names with a dot in front are no words: a mounted ConfigMap and editors have such.
    const names = readdirSync(folder).filter((name) => !name.startsWith("."));
    if (names.length > mostFiles) return { wrong: `has ${names.length} files, and at most ${mostFiles} are read` };
    return names.length === 0 ? { wrong: "names a folder without a file such as de.json" } : names.toSorted();
  } catch (error) {
    const code = errorCode(error);
    return {
      wrong: code === "ENOTDIR" ? "must name a folder, with a file such as de.json" : `can't be read (${code})`,
    };
  }
}

/** Reads the words of one language from a file. The problems follow the name of the file. */
export function readWordsFile(
  path: string,
  language: string,
): { readonly table: Table; readonly problems: readonly string[] } {
  const text = textOf(path);
  if (typeof text !== "string") return { table: {}, problems: [text.wrong] };
  const { table, complaints } = judgeWords(language, text);
  return { table, problems: complaints.map(({ line, says }) => `line ${line}: ${says}`) };
}

/** Reads an operator's words: a folder with a file for each language. Names everything that is wrong with them. */
export function readOwnWords(folder: string): OwnWords {
  const names = namesIn(folder);
  if ("wrong" in names) return { words: new Map(), problems: [names.wrong] };
  const words = new Map<string, Table>();
  const problems: string[] = [];
  for (const name of names) {
    if (problems.length >= mostProblems) break;
    const wrong = nameComplaint(name);
    if (wrong !== undefined) {
      problems.push(wrong);
      continue;
    }
    const language = name.slice(0, -ending.length);
    const read = readWordsFile(join(folder, name), language);
    words.set(language, read.table);
    problems.push(...read.problems.map((problem) => `${name} ${problem}`));
  }
  const isCut = problems.length > mostProblems;
  return { words, problems: isCut ? [...problems.slice(0, mostProblems), "has more that is wrong"] : problems };
}
