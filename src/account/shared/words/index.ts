import { german } from "./de.ts";
import { english, type Words } from "./en.ts";

export type { Words } from "./en.ts";

export const languages = { en: english, de: german } as const satisfies Readonly<Record<string, Words>>;

export type Language = keyof typeof languages;

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** The first of these language tags (BCP 47) that the pages speak, whatever its region; English when they speak none. */
export function pickLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [language = ""] = tag.toLowerCase().split("-");
    if (isLanguage(language)) return language;
  }
  return "en";
}

/** What the pages say in a language, with times as they are written in the reader's region: with 24 hours, say. */
export const wordsIn = (language: Language, tags: readonly string[]): Words => ({
  ...languages[language],
  tag: tags.find((tag) => tag.startsWith(`${language}-`)) ?? language,
});
