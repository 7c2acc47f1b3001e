import { german } from "./de.ts";
import { english, type Words } from "./en.ts";
import { inRegion, type Language } from "./language.ts";

export type { Words } from "./en.ts";
export { pickLanguage, type Language } from "./language.ts";

export const languages = { en: english, de: german } as const satisfies Readonly<Record<Language, Words>>;

/** Returns the words of a language, with times in the style of the reader's region. */
export const wordsIn = (language: Language, tags: readonly string[]): Words =>
  inRegion(languages[language], language, tags);
