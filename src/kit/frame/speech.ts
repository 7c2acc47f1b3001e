import type { Words } from "../../account/shared/words.ts";
import { regionalTag, type English, type Spoken, type Words as AllWords } from "../../words/index.ts";

/** The words of pages for a signed-in person, in one language. */
export interface Speech {
  readonly language: string;
  readonly words: Words;
  readonly account: Spoken<English["account"]>;
  readonly kit: Spoken<English["kit"]>;
  readonly entry: Spoken<English["entry"]>;
}

/** Returns the words in a language, for a reader who named these tags (BCP 47). */
export const speechIn = (words: AllWords, language: string, tags: readonly string[]): Speech => ({
  language,
  words: { ...words.say(language, "pages"), tag: regionalTag(language, tags) },
  account: words.say(language, "account"),
  kit: words.say(language, "kit"),
  entry: words.say(language, "entry"),
});
