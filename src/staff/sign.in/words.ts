import type { Language } from "../../account/shared/words/index.ts";

const english = {
  signedOut: "You are signed out.",
  signOut: "Sign out",
  signOutLead: "You will be signed out of these pages in this browser.",
  stay: "Stay signed in",
  trouble: "That did not work",
  /** A form whose token does not belong to the browser. */
  stale: "This page was open for too long, or this browser blocks cookies. Check what you typed, and send it again.",
};

const german: typeof english = {
  signedOut: "Sie sind abgemeldet.",
  signOut: "Abmelden",
  signOutLead: "Sie werden in diesem Browser von diesen Seiten abgemeldet.",
  stay: "Angemeldet bleiben",
  trouble: "Das hat nicht geklappt",
  stale:
    "Diese Seite war zu lange offen, oder dieser Browser sperrt Cookies. Prüfen Sie Ihre Eingaben und senden Sie sie noch einmal.",
};

export type EntryWords = typeof english;

/** What the sign-in pages of staff say besides the words of the account pages. */
export const entryWords: Readonly<Record<Language, EntryWords>> = { en: english, de: german };
