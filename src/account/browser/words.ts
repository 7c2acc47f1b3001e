import type { Words } from "../shared/words/en.ts";
import type { Language } from "../shared/words/language.ts";

/** A language and what the pages say in it. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

const sources: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import("../shared/words/en.ts")).english,
  de: async () => (await import("../shared/words/de.ts")).german,
};

/** Loads another language than the one that came with the page. */
export const loadWords = async (language: Language): Promise<Spoken> => ({
  language,
  words: await sources[language](),
});
