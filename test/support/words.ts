import type { Words } from "../../src/account/shared/words.ts";
import { createWords } from "../../src/words/index.ts";

/** The words that Gatehouse brings. */
export const ourWords = createWords();

export const english: Words = { ...ourWords.say("en", "pages"), tag: "en" };
export const german: Words = { ...ourWords.say("de", "pages"), tag: "de" };
