import type { Notice } from "./notices.ts";

/** A mail that somebody has asked for, with the link that it is about. */
export type LinkLetter =
  | "reset_link"
  | "first_password_link"
  | "email_login_link"
  | "verification_link"
  | "new_address_link"
  | "invitation_link"
  | "invitation_from_link"
  | "organization_link"
  | "organization_from_link";

/** Every mail that the accounts send. */
export type LetterKind = Notice | LinkLetter | "first_totp_added" | "first_passkey_added";

/**
 * The words of one mail. `{product}` stands for the name of the product, `{code}` in a subject for the code of a mail that has one, `{about}` for the subject of a notice, the inviter or the member of staff, `{team}`
 * for the name of an organization, `{until}` for the end of the mail's link. The words hold no text of a stranger.
 */
export interface LetterWords {
  readonly subject: string;
  /** Tells what happened, or what was asked for, and what it means. */
  readonly lead: string;
  /** The label of the one button, a verb; absent where there is nothing to do. */
  readonly button?: string;
  /** Leads to the code that can be typed in place of following the link. */
  readonly code?: string;
  /** Tells how long the link works. */
  readonly validity?: string;
  /** Tells a reader who did not do it what to do. */
  readonly otherwise: string;
  /** A second, smaller link beside the button: "this was not me". */
  readonly reject?: string;
  /** Replaces the usual footer, where the mail is about no account. */
  readonly footer?: string;
}
