import { english, type Chapter, type English } from "./english/index.ts";
import { pickLanguage } from "./language.ts";
import { speak, type Messages, type Spoken } from "./message.ts";
import { fallbackTable, isReadAs, ourLanguages, ourTable, shaped, type Table } from "./tables.ts";

export type { Chapter, English } from "./english/index.ts";
export type { Spoken } from "./message.ts";
export { around, fill, isRightToLeft } from "./message.ts";
export { regionalTag } from "./language.ts";

export type { Table } from "./tables.ts";

export type Words = ReturnType<typeof createWords>;

/** Makes the words of all languages. `own` has the operator's messages by language; they come before ours. */
export function createWords(own: ReadonlyMap<string, Table> = new Map()) {
  const languages: readonly string[] = [...new Set([...ourLanguages, ...own.keys()])];
  const tables = new Map<string, Table>();
  /** Returns the operator's messages of a language, and what those of a region lack from their language without one. */
  function ownTable(language: string): Table {
    const [general = ""] = language.split("-");
    return { ...(isReadAs(language, general) ? own.get(general) : undefined), ...own.get(language) };
  }
  function tableOf(language: string): Table {
    const known = tables.get(language);
    if (known !== undefined) return known;
    const table = own.size === 0 ? ourTable(language) : { ...fallbackTable(language), ...ownTable(language) };
    tables.set(language, table);
    return table;
  }
  const written = new Map<string, Messages>();
  const said = new Map<string, unknown>();

  /** Returns the messages of a chapter in a language, with their placeholders. Every mail asks for those of mails. */
  function messages<Name extends Chapter>(language: string, chapter: Name): English[Name];
  function messages(language: string, chapter: Chapter): Messages {
    const key = `${language} ${chapter}`;
    const known = written.get(key) ?? shaped(english[chapter], tableOf(language), chapter);
    written.set(key, known);
    return known;
  }

  /** Returns the words of a chapter in a language: texts, and functions where values belong into one. */
  function say<Name extends Chapter>(language: string, chapter: Name): Spoken<English[Name]>;
  function say(language: string, chapter: Chapter): unknown {
    const key = `${language} ${chapter}`;
    const known = said.get(key) ?? speak<Messages>(messages(language, chapter), language);
    said.set(key, known);
    return known;
  }

  return {
    /** The languages that pages and mails are written in (BCP 47). */
    languages,
    /** Returns the language for a reader who named these tags (BCP 47), the first one first. */
    pick: (tags: readonly string[]): string => pickLanguage(tags, languages),
    messages,
    say,
  };
}
