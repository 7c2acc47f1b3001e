import { english } from "./english/index.ts";
import arabic from "./ar.json" with { type: "text" };
import german from "./de.json" with { type: "text" };
import spanish from "./es.json" with { type: "text" };
import french from "./fr.json" with { type: "text" };
import italian from "./it.json" with { type: "text" };
import dutch from "./nl.json" with { type: "text" };
import japanese from "./ja.json" with { type: "text" };
import polish from "./pl.json" with { type: "text" };
import portuguese from "./pt-BR.json" with { type: "text" };
import { lazily } from "../core/pace/lazily.ts";
import { isCounted, type Counted, type Messages } from "./message.ts";

/** The messages of one language by their keys, such as `pages.signIn.submit`, or `pages.time.hours.other` for a plural category. */
export type Table = Readonly<Record<string, string>>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string");

/** Our languages besides English, as files of JSON: a text is read once somebody speaks its language. */
const texts: Readonly<Record<string, unknown>> = {
  ar: arabic,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  ja: japanese,
  pl: polish,
  "pt-BR": portuguese,
  nl: dutch,
};

/** The languages that Gatehouse brings (BCP 47). An operator's own words may add others. */
export const ourLanguages: readonly string[] = ["en", ...Object.keys(texts)];

/** Returns our messages of a language (BCP 47); none where it is English or not ours. */
export const ourTable = (language: string): Table => tableIn(texts, language);

/** Reads the table of a language among files of JSON; it is empty where they have none. */
export function tableIn(files: Readonly<Record<string, unknown>>, language: string): Table {
  const text = files[language];
  if (typeof text !== "string") return {};
  const table: unknown = JSON.parse(text);
  if (!isTable(table)) throw new Error(`the words in ${language} are no table of texts`);
  return table;
}

/** Whether somebody who reads one language (BCP 47) reads the other: the same one, in whatever region, in the same script. */
export function isReadAs(language: string, other: string): boolean {
  const [one, two] = [new Intl.Locale(language).maximize(), new Intl.Locale(other).maximize()];
  return one.language === two.language && one.script === two.script;
}

/** Returns the language of ours that somebody reads who reads this one (BCP 47); undefined where we speak none. */
export const oursFor = (language: string): string | undefined =>
  ourLanguages.find((ours) => ours === language) ?? ourLanguages.find((ours) => isReadAs(language, ours));

/** Returns our messages in a language (BCP 47), in whatever region; none where we do not speak it. */
export function fallbackTable(language: string): Table {
  const ours = oursFor(language);
  if (ours === undefined) return {};
  return ours === "en" ? englishTable() : ourTable(ours);
}

/** Returns messages by their keys, which begin with what is above them. */
export function flatten(messages: Messages, above = ""): Table {
  const table: Record<string, string> = {};
  const add = (path: string, each: string | Counted | Messages | undefined): void => {
    if (typeof each === "string") table[path] = each;
    else for (const [key, below] of Object.entries(each ?? {})) add(path === "" ? key : `${path}.${key}`, below);
  };
  add(above, messages);
  return table;
}

/** The keys of every message, with the English text. */
export const englishTable = lazily((): Table => flatten(english));

/** Puts the messages of a table into the shape of the English ones. What the table lacks is English. */
export function shaped(node: Messages, table: Table, above: string): Messages {
  const shape: Record<string, string | Counted | Messages> = {};
  for (const [key, each] of Object.entries(node)) {
    const path = `${above}.${key}`;
    if (typeof each === "string") shape[key] = table[path] ?? each;
    else shape[key] = isCounted(each) ? counted(each, table, path) : shaped(each, table, path);
  }
  return shape;
}

function counted(node: Counted, table: Table, path: string): Counted {
  const other = table[`${path}.other`];
  if (other === undefined) return node;
  const own = (["zero", "one", "two", "few", "many"] as const).flatMap((category) => {
    const text = table[`${path}.${category}`];
    return text === undefined ? [] : [[category, text] as const];
  });
  return { ...Object.fromEntries(own), other };
}
