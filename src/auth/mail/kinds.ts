import type { GrantForMail } from "../grant/grant.service.ts";
import type { Notice } from "./notices.ts";

/** A notice, or a mail with a link that somebody asked for. `email_change_link` goes to the new address of an account. */
export type MailKind =
  | Notice
  | "password_reset_link"
  | "first_password_link"
  | "email_login_link"
  | "email_verification_link"
  | "email_change_link"
  | "invitation_link";

/** Why a mail is held back. `address_taken`: another account has the address, and its owner is told instead. */
export type WithheldReason =
  | Extract<GrantForMail, { withheld: unknown }>["withheld"]
  | "address_not_proven"
  | "address_taken";

/** Why a mail never arrives that was handed to the relay: its recipient is refused for good, such as a mailbox that does not exist. */
export const mailboxRefused = "mailbox_refused";

/** Why a mail did not arrive, where one word says it. */
export type MailReason = WithheldReason | typeof mailboxRefused;
