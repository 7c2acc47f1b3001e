import type { Words } from "./en.ts";

/** The languages that the pages speak. Their words stand apart, so that a browser loads those of one. */
export const languageTags = ["en", "de"] as const;

export type Language = (typeof languageTags)[number];

/** The first of these language tags (BCP 47) that the pages speak, whatever its region; English when they speak none. */
export function pickLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary = ""] = tag.toLowerCase().split("-");
    const language = languageTags.find((each) => each === primary);
    if (language !== undefined) return language;
  }
  return "en";
}

/** The words of a language, with times as they are written in the reader's region: with 24 hours, say. */
export const inRegion = (words: Words, language: Language, tags: readonly string[]): Words => ({
  ...words,
  tag: tags.find((tag) => tag.startsWith(`${language}-`)) ?? language,
});
