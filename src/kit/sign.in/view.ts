import type { Words } from "../../account/shared/words.ts";
import type { Millis } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import type { EntryWords, KitFrame } from "../frame/frame.ts";

/** Everything that a form knows of what was sent, and of why it comes back. */
export interface FormView {
  readonly words: Words;
  readonly ownWords: Pick<EntryWords, "stale">;
  /** The typed text of a form that comes back. A page never holds a typed password. */
  readonly typed: URLSearchParams;
  readonly refusal: AppError | undefined;
  readonly requestId: string;
  readonly now: Millis;
}

/** Everything that a page of the sign-in knows of its request. */
export interface EntryView extends FormView {
  readonly frame: KitFrame;
  readonly href: KitFrame["href"];
  readonly language: string;
  readonly ownWords: EntryWords;
  /** The token for the form of the page. */
  readonly token: string;
  /** The query of the address. */
  readonly search: URLSearchParams;
}

/** What stands behind the question mark of the address that was asked for. */
export const searchOf = ({ url }: Request): URLSearchParams => new URL(url, "http://localhost").searchParams;
/** Where the sign-in is to lead, as the form or the address names it: a route judges that. */
export const namedNext = ({ search, typed }: EntryView): string | null => typed.get("next") ?? search.get("next");
/** Another page of the sign-in, from which it leads on to the same place. */
export const onward = ({ href }: EntryView, path: string, next: string): string =>
  `${href(path)}?next=${encodeURIComponent(next)}`;
/** The token of a mail: of the address at first, then of the form. */
export const mailTokenOf = ({ search, typed }: EntryView): string => typed.get("token") ?? search.get("token") ?? "";
/** Whether the link says "this was not me". */
export const isReject = ({ search, typed }: EntryView): boolean => typed.has("reject") || search.has("reject");
