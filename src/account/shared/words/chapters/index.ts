import type { Path } from "../../settings.ts";
import type { InvitationWords } from "./invitation.en.ts";
import type { LinksWords } from "./links.en.ts";
import type { OrganizationWords } from "./organization.en.ts";

/** Words that only some pages need. Each chapter is a file for each language, beside the words of all pages. */
export interface Chapters {
  readonly invitation: InvitationWords;
  readonly links: LinksWords;
  readonly organization: OrganizationWords;
}
export type Chapter = keyof Chapters;

/** Returns the chapter without which a page can't be shown. */
export function chapterOf(path: Path): Chapter | undefined {
  if (path === "/accept-invitation") return "invitation";
  if (path === "/reset-password" || path === "/email-login") return "links";
  return path === "/account/organization" ? "organization" : undefined;
}
