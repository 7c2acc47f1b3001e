import type { Browsing } from "../../auth/index.ts";
import type { Outcome } from "../authorize/outcome.ts";
import type { Client } from "../client/client.ts";
import type { IdpWords } from "./frame.tsx";
import { ConsentCard, isChecked, NoRoleCard, NotOwnCard } from "./pages.tsx";

/** What a page asks or tells a person who is signed in. */
type Question = Extract<Outcome, { readonly viewer: Browsing }>;
export const cards = { consent: ConsentCard, no_role: NoRoleCard, not_own: NotOwnCard } as const satisfies Readonly<
  Record<Question["kind"], unknown>
>;

/** Says what a page is about, and to whom it speaks. A name that nobody here has checked is no title. */
export function headOf(words: IdpWords, kind: Question["kind"], client: Client, { displayName }: Browsing) {
  if (kind === "no_role") return { title: words.noRole.title({ app: client.name }) };
  if (kind === "not_own") {
    const { title, strangerTitle } = words.impersonation;
    return { title: isChecked(client) ? title({ app: client.name }) : strangerTitle };
  }
  const { title, strangerTitle, as } = words.consent;
  return {
    title: isChecked(client) ? title({ app: client.name }) : strangerTitle,
    subtitle: as({ name: displayName }),
  };
}
