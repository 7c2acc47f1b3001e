import { day } from "../../core/clock.ts";
import type { Mail } from "../../drivers/mail/index.ts";
import { mailAsPage } from "../../http/pages/mail.page.ts";
import type { LetterKind } from "./letter.words.ts";
import { createLetters, type Addressee, type LetterOptions, type Letters } from "./letters.ts";
import { notices, organizationNotices, type Notice } from "./notices.ts";

/** The time, the person and whatever else a mail would name. Tokens and codes open nothing. */
const at = Date.UTC(2026, 0, 15, 9, 30);
const occasion = { at, device: "Linux · Firefox", address: "203.0.113.7" };
const link = { token: "SAMPLE", expiresAt: at + day };
const email = "ada@example.com";
const inviter = "Grace Hopper";
const team = "Analytical Engines";

type Sample = (letters: Letters, to: Addressee) => Mail;

const invited =
  (by: string | null, organization: string | null): Sample =>
  (letters, { user }) =>
    letters.invitation(
      {
        email,
        emailKey: email,
        locale: user?.locale ?? null,
        inviterDisplayName: by,
        organizationName: organization,
      },
      link,
    );

/** What notices are about, where they name something. */
const abouts: Readonly<Partial<Record<Notice, string>>> = {
  identity_linked: "GitHub",
  identity_unlinked: "GitHub",
  passkey_added: "Ada's phone",
  passkey_removed: "Ada's phone",
  passkey_copied: "Ada's phone",
  personal_token_created: "Backup script",
  recovery_code_used: "7",
  organization_domain_lost: "example.com",
  organization_domain_removed: "example.com",
};

const noticed =
  (notice: Notice): Sample =>
  (letters, to) =>
    letters.notice(to, occasion, notice, {
      about: abouts[notice],
      ...(organizationNotices.some((each) => each === notice) && { team, organizationId: "SAMPLE" }),
    });

/** Mails that are more than a notice: each by the function that makes it for people. */
const special: Readonly<Record<Exclude<LetterKind, Notice>, Sample>> & Readonly<Partial<Record<Notice, Sample>>> = {
  reset_link: (letters, to) => letters.passwordReset(to, occasion, link),
  first_password_link: (letters, to) => letters.firstPassword(to, undefined, link),
  email_login_link: (letters, to) => letters.emailLogin(to, occasion, { ...link, code: "123456" }),
  verification_link: (letters, to) => letters.emailVerification(to, occasion, link),
  new_address_link: (letters, to) => letters.emailVerification({ ...to, isOwn: false }, occasion, link),
  invitation_link: invited(null, null),
  invitation_from_link: invited(inviter, null),
  organization_link: invited(null, team),
  organization_from_link: invited(inviter, team),
  first_totp_added: (letters, to) => letters.added(to, occasion, { notice: "totp_added", link }),
  first_passkey_added: (letters, to) =>
    letters.added(to, occasion, { notice: "passkey_added", about: abouts.passkey_added, link }),
  identity_linked: (letters, to) =>
    letters.added(to, occasion, { notice: "identity_linked", about: abouts.identity_linked, link }),
  new_device: (letters, to) => letters.added(to, occasion, { notice: "new_device", link }),
  // It tells nothing of the browser of staff.
  impersonation_begun: (letters, to) => letters.notice(to, { at }, "impersonation_begun", { about: inviter }),
  email_change_requested: (letters, to) => letters.addressChangeAsked(to, occasion, link),
  email_changed: (letters, to) => letters.addressMoved(to, occasion, link),
};

/** Every mail that is sent, by its name in the words. */
const samples: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ...Object.entries(special),
  ...notices.filter((notice) => special[notice] === undefined).map((notice) => [notice, noticed(notice)] as const),
]);

/** A mail, its HTML with the pictures in it. */
export type ShownMail = Pick<Mail, "subject" | "text" | "html">;

export type MailPreviews = ReturnType<typeof createMailPreviews>;

/** Shows every mail with made-up values, as people get it: in the words and the looks of this installation. */
export function createMailPreviews(options: LetterOptions) {
  const letters = createLetters(options);
  const { languages } = options.words;

  /** Writes the mail of that name in a language (BCP 47); undefined where there is none. */
  function show(name: string, language: string): ShownMail | undefined {
    const user = { displayName: "Ada Lovelace", emailVerifiedAt: at, locale: language, timezone: null };
    const mail = samples.get(name)?.(letters, { to: email, isOwn: true, user });
    return mail && { subject: mail.subject, text: mail.text, html: mailAsPage(mail) };
  }

  return {
    /** The languages that mails are written in (BCP 47). */
    languages,
    /** The names of all mails. */
    names: [...samples.keys()],
    show,
  };
}
