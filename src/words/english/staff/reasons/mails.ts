/** Mails by what they are about. */
const kinds = {
  password_reset_link: "Reset your password",
  first_password_link: "Choose your first password",
  email_login_link: "Sign in by mail",
  email_verification_link: "Verify your email",
  email_change_link: "Confirm your new email",
  invitation_link: "Invitation",
  password_changed: "Password changed",
  password_removed: "Password removed",
  password_reset: "Password reset",
  first_password_chosen: "First password chosen",
  email_change_requested: "Email change asked for",
  email_changed: "Email changed",
  email_change_undone: "Email change taken back",
  username_changed: "User name changed",
  new_device: "Sign-in from a new device",
  take_back_ended: "Take-back link ended",
  refresh_reused: "A session may be stolen",
  registration_attempted: "Somebody tried to register",
  identity_linked: "Provider linked",
  identity_unlinked: "Provider unlinked",
  totp_added: "Authenticator app added",
  totp_removed: "Authenticator app removed",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  passkey_copied: "Passkey may have been copied",
  impersonation_begun: "Staff opened a session in the person's name",
  organization_provider_set: "Provider of an organization set",
  organization_provider_changed: "Provider of an organization changed",
  organization_provider_removed: "Provider of an organization removed",
  organization_domain_lost: "Domain of an organization lost",
  organization_domain_removed: "Domain of an organization removed",
  personal_token_created: "Personal token made",
  recovery_codes_made: "New recovery codes",
  recovery_code_used: "Recovery code used",
  factors_reset: "Second factors reset",
  factors_taken_back: "Second factors taken back",
  account_locked: "Account locked",
  logins_blocked: "Sign-ins held to known browsers",
  address_claimed: "Address claimed",
  account_deleted: "Account deleted",
} as const;

/** What became of a mail. */
const fates = {
  waiting: "not taken by the relay yet",
  sent: "taken by the relay",
  refused: "refused by the relay",
  gave_up: "given up",
  withheld: "held back",
} as const;

/** Why a mail was not sent, as the end of a sentence. */
const reasons = {
  mailbox_refused: "the mailbox does not take it",
  joined: "an earlier one with the same link is in the mailbox, or on its way",
  cap_reached: "too many were asked for in an hour",
  address_not_proven: "the address is not proven",
  account_gone: "the account was gone",
  link_ended: "its link had ended before it could be sent again",
  address_taken: "another account has the address",
} as const;

export const mails = { kinds, fates, reasons, because: "{fate}, as {reason}" } as const;
