import { english } from "../english/index.ts";
import { categories, isCounted, placeholdersOf, type Category, type Counted, type Messages } from "../message.ts";
import { fallbackTable, oursFor } from "../tables.ts";

/** A key under which an operator's file may have a text. */
export interface Slot {
  /** Our text, which stands there without the operator's: English where we do not speak the language. */
  readonly ours: string;
  readonly english: string;
  /** The names that stand in braces in our text. */
  readonly names: readonly string[];
  /** The key without its plural category, where the message has a text for each. */
  readonly counted?: { readonly key: string; readonly category: Category } | undefined;
}

/** The plural categories of a language (BCP 47), in the order of CLDR. */
export function categoriesOf(language: string): readonly Category[] {
  const own: ReadonlySet<string> = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  return categories.filter((each) => own.has(each));
}

/** Lists the messages below a node by their keys, in the order of the English ones. */
function* messagesIn(node: Messages, above = ""): Generator<readonly [key: string, message: string | Counted]> {
  for (const [name, each] of Object.entries(node)) {
    const key = above === "" ? name : `${above}.${name}`;
    if (typeof each === "string" || isCounted(each)) yield [key, each];
    else yield* messagesIn(each, key);
  }
}

/** Returns the keys of a language (BCP 47), in the order of the English ones. */
export function slotsOf(language: string): ReadonlyMap<string, Slot> {
  const table = fallbackTable(language);
  const own = categoriesOf(language);
  const slots = new Map<string, Slot>();
  for (const [key, message] of messagesIn(english)) {
    if (typeof message === "string") {
      slots.set(key, { ours: table[key] ?? message, english: message, names: placeholdersOf(message) });
      continue;
    }
    for (const category of own) {
      const inEnglish = message[category] ?? message.other;
      slots.set(`${key}.${category}`, {
        ours: table[`${key}.${category}`] ?? table[`${key}.other`] ?? inEnglish,
        english: inEnglish,
        names: placeholdersOf(message.other),
        counted: { key, category },
      });
    }
  }
  return slots;
}

/** Whether a file has to bring the text of `other` with any other category: there is none of ours in that language. */
export const needsOther = (language: string): boolean => oursFor(language) === undefined;
