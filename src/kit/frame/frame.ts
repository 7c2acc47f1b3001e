import type { Mark } from "../../http/pages/brand/brand.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { English, Spoken, Words } from "../../words/index.ts";

/** The words that the account pages do not have, or only some of them. */
export type EntryWords = Spoken<English["entry"] & English["links"]>;

/** The parts of every page that depend on the app alone. */
export interface KitFrame {
  readonly mark: Mark;
  readonly words: Words;
  /** The style sheet, and what an operator has chosen. */
  readonly style: Html;
  /** The schemes that the pages have, as `color-scheme` says them. */
  readonly schemes: string;
  /** The address of the script. */
  readonly script: string;
  /** Says on the page of the sign-in for whom it is, where that is not everybody. */
  audience?(words: EntryWords): string;
  /** Returns the address of a path of this app for use in a page: APP_URL may have a path in front. */
  href(path: string): string;
}
