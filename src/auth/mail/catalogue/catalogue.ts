import type { Notice } from "../jobs.ts";

/** Every mail that the accounts send. */
export type LetterKind =
  | Notice
  | "first_totp_added"
  | "first_passkey_added"
  | "reset_link"
  | "email_login_link"
  | "verification_link"
  | "new_address_link"
  | "invitation_link"
  | "invitation_from_link";

/**
 * The words of one mail. `{product}` stands for the name of the product, `{about}` for what a notice is about or who
 * has invited, `{until}` for when the link of the mail ends. Nothing that a stranger has typed is part of them.
 */
export interface LetterWords {
  readonly subject: string;
  /** What happened, or what was asked for, and what it means. */
  readonly lead: string;
  /** The one button, a verb, where there is something to do. */
  readonly button?: string;
  /** Leads to the code that can be typed in its place. */
  readonly code?: string;
  /** How long its link works. */
  readonly validity?: string;
  /** Tells a reader who did not do it what to do. */
  readonly otherwise: string;
  /** A second, smaller link beside the button: "this was not me". */
  readonly reject?: string;
  /** In place of the usual one, where the mail is about no account. */
  readonly footer?: string;
}

export interface Catalogue {
  readonly language: "en" | "de";
  /** How dates are written. */
  readonly dates: string;
  readonly greeting: { readonly named: string; readonly plain: string };
  readonly labels: {
    readonly passkey: string;
    readonly when: string;
    readonly device: string;
    readonly address: string;
  };
  readonly unknownDevice: string;
  /** Below the button, before the address that it leads to. */
  readonly copy: string;
  readonly footer: string;
  readonly letters: Readonly<Record<LetterKind, LetterWords>>;
}
