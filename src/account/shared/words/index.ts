import { german } from "./de.ts";
import { english, type Words } from "./en.ts";
import { inRegion, type Language } from "./language.ts";

export type { Words } from "./en.ts";
export { pickLanguage, type Language } from "./language.ts";

export const languages = { en: english, de: german } as const satisfies Readonly<Record<Language, Words>>;

/** What the pages say in a language, with times as they are written in the reader's region. */
export const wordsIn = (language: Language, tags: readonly string[]): Words =>
  inRegion(languages[language], language, tags);
