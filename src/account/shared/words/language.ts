import type { Words } from "./en.ts";

/** The languages of the pages. Each has its words in files of their own, so that a browser loads one language. */
export const languageTags = ["en", "de"] as const;

export type Language = (typeof languageTags)[number];

/** Returns the language of the first tag (BCP 47) that the pages speak, whatever its region; English where they speak none. */
export function pickLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary = ""] = tag.toLowerCase().split("-");
    const language = languageTags.find((each) => each === primary);
    if (language !== undefined) return language;
  }
  return "en";
}

/** Returns the words of a language, with times in the style of the reader's region, such as 24 hours. */
export const inRegion = (words: Words, language: Language, tags: readonly string[]): Words => ({
  ...words,
  tag: tags.find((tag) => tag.startsWith(`${language}-`)) ?? language,
});
