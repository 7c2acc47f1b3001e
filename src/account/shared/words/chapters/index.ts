import type { Path } from "../../settings.ts";
import type { AccountWords } from "./account.en.ts";
import type { InvitationWords } from "./invitation.en.ts";
import type { LinksWords } from "./links.en.ts";
import type { OrganizationWords } from "./organization.en.ts";
import type { WaysWords } from "./ways.en.ts";

/** Words that only some pages need. Each chapter is a file for each language, beside the words of all pages. */
export interface Chapters {
  readonly account: AccountWords;
  readonly invitation: InvitationWords;
  readonly links: LinksWords;
  readonly organization: OrganizationWords;
  readonly ways: WaysWords;
}
export type Chapter = keyof Chapters;

/** The paths of mailed links. */
const linked: readonly Path[] = ["/reset-password", "/email-login", "/verify-email", "/undo-email-change"];

/** Returns the chapter without which a page can't be shown. */
export function chapterOf(path: Path): Chapter | undefined {
  if (path === "/accept-invitation") return "invitation";
  if (path === "/account") return "account";
  if (path === "/account/organization") return "organization";
  return linked.some((each) => each === path) ? "links" : undefined;
}
