import { staff, type StaffEnglish } from "./english/staff/index.ts";
import { pickLanguage } from "./language.ts";
import { speak, type Spoken } from "./message.ts";
import { shaped, tableIn, type Table } from "./tables.ts";
import german from "./staff.de.json" with { type: "text" };

/** Every word of the pages for staff, in one language. */
export type StaffWords = Spoken<StaffEnglish>;

const texts: Readonly<Record<string, unknown>> = { de: german };

/** The languages of the pages for staff (BCP 47). */
export const staffLanguages: readonly string[] = ["en", ...Object.keys(texts)];

/** Returns the language of the pages for one of the staff who reads these (BCP 47), the first one first. */
export const staffLanguageFor = (tags: readonly string[]): string => pickLanguage(tags, staffLanguages);

/** Returns the messages in a language (BCP 47); none where it is English. */
export const staffTable = (language: string): Table => tableIn(texts, language);

const spoken = new Map<string, StaffWords>();

/** Returns the words of the pages for staff in one of their languages. */
export function staffWordsIn(language: string): StaffWords {
  const known = spoken.get(language) ?? speak<StaffEnglish>(messagesIn(language), language);
  spoken.set(language, known);
  return known;
}

function messagesIn(language: string): StaffEnglish;
function messagesIn(language: string): unknown {
  return shaped(staff, staffTable(language), "staff");
}

/** Returns the words of what commands and the API say, too: they speak English. Put into shape once somebody asks, and not at the start. */
export const englishStaffWords = (): StaffWords => staffWordsIn("en");
