import type { Words } from "../shared/words/en.ts";
import type { Language } from "../shared/words/language.ts";

/** A language with the words of the pages. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

const sources: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import("../shared/words/en.ts")).english,
  de: async () => (await import("../shared/words/de.ts")).german,
};

/** Loads the words of a language that did not come with the page. */
export const loadWords = async (language: Language): Promise<Spoken> => ({
  language,
  words: await sources[language](),
});
