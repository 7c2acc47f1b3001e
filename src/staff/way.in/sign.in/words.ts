import { linksInGerman } from "../../../account/shared/words/chapters/links.de.ts";
import { linksInEnglish } from "../../../account/shared/words/chapters/links.en.ts";
import type { Language } from "../../../account/shared/words/index.ts";

const english = {
  ...linksInEnglish,
  signedOut: "You are signed out.",
  signOut: "Sign out",
  signOutLead: "You will be signed out of these pages in this browser.",
  stay: "Stay signed in",
  forStaff: "For staff",
  forbidden: {
    title: "For staff only",
    signedInAs: "You are signed in as",
    lead: (product: string) =>
      `This account is not one of the staff. Whoever runs ${product} can give it the role "admin", "support" or "auditor". If you have another account, sign out and use that one.`,
  },
  trouble: "That did not work",
  /** Follows a form whose token does not belong to the browser. */
  stale: "This page was open for too long, or this browser blocks cookies. Check what you typed, and send it again.",
};

const german: typeof english = {
  ...linksInGerman,
  signedOut: "Sie sind abgemeldet.",
  signOut: "Abmelden",
  signOutLead: "Sie werden in diesem Browser von diesen Seiten abgemeldet.",
  stay: "Angemeldet bleiben",
  forStaff: "Für Mitarbeitende",
  forbidden: {
    title: "Nur für Mitarbeitende",
    signedInAs: "Sie sind angemeldet als",
    lead: (product: string) =>
      `Dieses Konto gehört zu niemandem vom Team. Wer ${product} betreibt, kann ihm die Rolle „admin“, „support“ oder „auditor“ geben. Haben Sie ein anderes Konto, dann melden Sie sich ab und nehmen Sie jenes.`,
  },
  trouble: "Das hat nicht geklappt",
  stale:
    "Diese Seite war zu lange offen, oder dieser Browser sperrt Cookies. Prüfen Sie Ihre Eingaben und senden Sie sie noch einmal.",
};

export type EntryWords = typeof english;

/** The words of the sign-in pages for staff that the account pages do not have. */
export const entryWords: Readonly<Record<Language, EntryWords>> = { en: english, de: german };
