import { account } from "./account.ts";
import { invitation } from "./invitation.ts";
import { entry, kit } from "./kit.ts";
import { links } from "./links.ts";
import { mails } from "./mails.ts";
import { organization } from "./organization.ts";
import { pages } from "./pages.ts";
import { programs } from "./programs.ts";
import { service } from "./service.ts";
import { ways } from "./ways.ts";

/**
 * Every word that people read, chapter by chapter. English says which words there are and what each of them names in braces; other languages
 * are tables of the same keys.
 */
export const english = {
  pages,
  entry,
  kit,
  account,
  invitation,
  links,
  organization,
  ways,
  mails,
  programs,
  service,
} as const;

export type English = typeof english;
export type Chapter = keyof English;
