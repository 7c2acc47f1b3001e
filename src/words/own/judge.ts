import { meantBy } from "../../core/text/suggestion.ts";
import type { Table } from "../tables.ts";
import { readFlatJson, type Entry } from "./flat.json.ts";
import { quoted } from "./quoted.ts";
import { complaintsAbout } from "./rules.ts";
import { categoriesOf, needsOther, slotsOf, type Slot } from "./slots.ts";

/** What is wrong with a file, and in which line. */
export interface Complaint {
  readonly line: number;
  readonly says: string;
}

export interface JudgedWords {
  /** The texts that are right. */
  readonly table: Table;
  readonly complaints: readonly Complaint[];
}

/** A suggestion compares a key with every other: a file of nothing but unknown ones gets so many. */
const mostSuggestions = 20;
const category = /\.(?:zero|one|two|few|many|other)$/;

type Slots = ReadonlyMap<string, Slot>;

/** Says why a key has no place in the words of a language. */
function keyComplaint(key: string, language: string, slots: Slots, suggest: boolean): string {
  const base = key.replace(category, "");
  const own = categoriesOf(language);
  const isCounted = slots.get(`${base}.other`)?.counted !== undefined;
  if (isCounted && base === key)
    return `${key} has a text for each plural of ${language}: write ${own.map((each) => `${key}.${each}`).join(", ")}`;
  if (isCounted) return `${key} is no plural of ${language}, which has ${own.join(", ")}`;
  const [meant] = suggest ? meantBy(key, slots.keys()) : [];
  return `${quoted(key)} is no key${meant === undefined ? ": words:list prints all" : `: is ${meant} meant?`}`;
}

/** Says which plurals have no text for the numbers that no other category takes. */
function otherComplaints(entries: readonly Entry[], language: string, slots: Slots): readonly Complaint[] {
  if (!needsOther(language)) return [];
  const there = new Set(entries.map(({ key }) => key));
  const bare = new Map<string, Complaint>();
  for (const { key, line } of entries) {
    const counted = slots.get(key)?.counted;
    const other = `${counted?.key}.other`;
    if (counted !== undefined && !there.has(other) && !bare.has(other))
      bare.set(other, { line, says: `${key} needs ${other} beside it, for all other numbers` });
  }
  return [...bare.values()];
}

/** Judges the file of a language (BCP 47), whole: every line that is wrong is named. */
export function judgeWords(language: string, text: string): JudgedWords {
  const slots = slotsOf(language);
  const { entries, broken } = readFlatJson(text);
  const firstLines = new Map<string, number>();
  const right = new Map<string, string>();
  const complaints: Complaint[] = [];
  let suggestions = mostSuggestions;
  for (const { line, key, text: own } of entries) {
    const complain = (says: string): void => void complaints.push({ line, says });
    const before = firstLines.get(key);
    if (before !== undefined) {
      complain(`${quoted(key)} is there twice: it is in line ${before} as well`);
      continue;
    }
    firstLines.set(key, line);
    const slot = slots.get(key);
    if (slot === undefined) {
      complain(keyComplaint(key, language, slots, suggestions > 0));
      suggestions -= 1;
      continue;
    }
    const wrong = own === undefined ? ["is no text in quotes"] : complaintsAbout(own, slot);
    for (const says of wrong) complain(`${key} ${says}`);
    if (own !== undefined && wrong.length === 0) right.set(key, own);
  }
  complaints.push(...otherComplaints(entries, language, slots));
  if (broken !== undefined) complaints.push({ line: broken.line, says: `this is no JSON: ${broken.says}` });
  return { table: Object.fromEntries(right), complaints: complaints.toSorted((one, other) => one.line - other.line) };
}
