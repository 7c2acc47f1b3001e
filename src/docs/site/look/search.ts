import MiniSearch, { type Options } from "minisearch";

/** A section of a page, as the search knows it. */
export interface Entry {
  readonly id: string;
  /** The heading of the section. */
  readonly title: string;
  /** The title of the page. */
  readonly page: string;
  readonly text: string;
}

/** An entry in the index: of its text the beginning is kept, to be shown. */
interface Kept extends Entry {
  readonly beginning: string;
}

export type Found = Pick<Kept, "id" | "title" | "page" | "beginning">;

const shownCharacters = 160;

/** Words that every text has: they find nothing. */
const empty = new Set(
  (
    "a am an and are as at be by can do does for from get has have how i if in is it its me my of on or our so that the their them then " +
    "there they this to too us use want was we what when where which who why will with you your"
  ).split(" "),
);

/** Reduces a word to what its forms have in common, so that "signed" and "signing" find "sign". */
function termOf(written: string): string | null {
  // The manual says mail.
  const word = written.toLowerCase().replace(/^e-?mail/, "mail");
  if (empty.has(word)) return null;
  // It says that somebody is signed in, too.
  if (word === "logged") return "sign";
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}

/** Splits a text into words. What is one name, such as `auth_request` or `user:import`, is a word as well as its parts are. */
const wordsOf = (text: string): string[] => [
  ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""),
  ...(text.match(/[\p{L}\p{N}]+(?:[_:.-][\p{L}\p{N}]+)+/gu) ?? []),
];

const options: Options<Kept> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "beginning"],
  tokenize: wordsOf,
  processTerm: termOf,
  searchOptions: {
    boost: { title: 6, page: 3 },
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    weights: { prefix: 0.3, fuzzy: 0.2 },
    // Who asks a question is better served by a chapter than by an entry of a table.
    boostDocument: (id) => (String(id).startsWith("code/") ? 0.5 : 1),
  },
};

/** Makes the index of the search, as text. */
export function writeIndex(entries: readonly Entry[]): string {
  const index = new MiniSearch<Kept>(options);
  index.addAll(
    entries.map((entry) => ({
      ...entry,
      beginning:
        entry.text.length > shownCharacters ? `${entry.text.slice(0, shownCharacters).trimEnd()}…` : entry.text,
    })),
  );
  return JSON.stringify(index);
}

/** Returns the function that searches an index: the best sections first, those with more of the words before those with fewer. */
export function searchOf(written: string): (query: string) => readonly Found[] {
  const index = MiniSearch.loadJSON<Kept>(written, options);
  return (query) => {
    const words = new Set(wordsOf(query).flatMap((word) => termOf(word) ?? []));
    const share = (terms: readonly string[]): number => (words.size === 0 ? 0 : new Set(terms).size / words.size);
    return index
      .search(query)
      .map((result) => ({ result, rank: result.score * share(result.queryTerms) ** 2 }))
      .toSorted((a, b) => b.rank - a.rank)
      .map(({ result }) => ({
        id: String(result.id),
        title: String(result["title"]),
        page: String(result["page"]),
        beginning: String(result["beginning"]),
      }));
  };
}
