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

/** The tags of an Accept-Language header, the most wanted first (RFC 9110 §12.5.4). */
export const preferredTags = (header: string): readonly string[] =>
  header
    .split(",")
    .map((range) => {
      const [tag = "", weight = ""] = range.split(";").map((part) => part.trim());
      return { tag, quality: weight.startsWith("q=") ? Number(weight.slice(2)) || 0 : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
