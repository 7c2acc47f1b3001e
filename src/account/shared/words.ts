import type { English } from "../../words/english/index.ts";
import type { Spoken } from "../../words/message.ts";
import type { Path } from "./settings.ts";

/** The words that all pages have, and the tag (BCP 47) by which the reader's dates and numbers are written. */
export type Words = Spoken<English["pages"]> & { readonly tag: string };

/** Words that only some pages need. Each chapter is a file for each language, beside the words of all pages. */
export const chapters = ["account", "invitation", "links", "organization", "ways"] as const;
export type Chapter = (typeof chapters)[number];
export type Chapters = { readonly [Name in Chapter]: Spoken<English[Name]> };

/** The paths of mailed links. */
const linked: readonly Path[] = ["/reset-password", "/email-login", "/verify-email", "/undo-email-change"];

/** Returns the chapter without which a page can't be shown. */
export function chapterOf(path: Path): Chapter | undefined {
  if (path === "/accept-invitation") return "invitation";
  if (path === "/account") return "account";
  if (path === "/account/organization") return "organization";
  return linked.some((each) => each === path) ? "links" : undefined;
}

const titles: Readonly<Record<Path, keyof Words["titles"]>> = {
  "/login": "signIn",
  "/register": "register",
  "/forgot-password": "forgotPassword",
  "/reset-password": "resetPassword",
  "/verify-email": "verifyEmail",
  "/undo-email-change": "undoEmailChange",
  "/accept-invitation": "acceptInvitation",
  "/email-login": "emailLogin",
  "/account": "account",
  "/account/organization": "organization",
};

/** Returns the title of the page at a path. */
export const titleOf = (path: Path, words: Pick<Words, "titles">): string => words.titles[titles[path]];
