import { baseUrl } from "../../core/address/url.parts.ts";
import type { Millis } from "../../core/clock.ts";
import type { Mail } from "../../drivers/mail/index.ts";
import type { MailLook } from "../../http/pages/brand/mail.look.ts";
import type { MailedCode } from "../grant/grant.service.ts";
import type { InvitationRow } from "../invitation/invitation.repository.ts";
import type { UserRow } from "../user/user.repository.ts";
import { mailAddress } from "../user/identifiers.ts";
import { fill, type English, type Words } from "../../words/index.ts";
import type { LetterKind, LetterWords } from "./letter.words.ts";
import { mailOf, type Letter } from "./frame.ts";
import { greetableName } from "./greetable.name.ts";
import { noticePaths, type Notice } from "./notices.ts";

/** The recipient of a mail. `isOwn`: the address is the account's own; a new address, not yet confirmed, may be a stranger's. */
export interface Addressee {
  readonly to: string;
  readonly isOwn: boolean;
  readonly user: Pick<UserRow, "displayName" | "emailVerifiedAt" | "locale" | "timezone"> | undefined;
}

/** The request that the mail is about. Jobs that an older release stored know neither device nor address. */
export interface Occasion {
  readonly at: Millis;
  readonly device?: string | undefined;
  readonly address?: string | undefined;
}

export interface LinkToken {
  readonly token: string;
  readonly expiresAt: Millis;
}

/** Whom a mail invites, by whom and to what. */
type Invited = Pick<InvitationRow, "email" | "emailKey" | "locale" | "inviterDisplayName" | "organizationName">;

/** What a notice is about, where it names something. */
interface Subject {
  readonly about?: string | undefined;
  /** The name of an organization, and its id, by which the mail leads to its page. */
  readonly team?: string | undefined;
  readonly organizationId?: string | undefined;
}

interface Composed {
  readonly about?: string | undefined;
  /** The name of an organization. */
  readonly team?: string | undefined;
  readonly button?: string | undefined;
  readonly reject?: string | undefined;
  readonly code?: string | undefined;
  readonly expiresAt?: Millis | undefined;
}

/** The words of mails in one language. */
interface Catalogue {
  readonly language: string;
  readonly words: English["mails"];
}

/** The month is a word in English, too, so that nobody takes it for the day. */
const written = (at: Millis, { language }: Catalogue, timeZone: string): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  }).format(at);

/** Writes a moment in the zone of the profile where it has one, and in UTC. */
function momentIn(at: Millis, catalogue: Catalogue, zone: string | null | undefined): readonly string[] {
  const utc = `${written(at, catalogue, "UTC")} UTC`;
  return zone === null || zone === undefined || zone === "UTC"
    ? [utc]
    : [`${written(at, catalogue, zone)} (${zone})`, utc];
}

/** Names what a mail is about. People choose the names of tokens and of themselves: a text that could be taken for a link is no name in a mail. */
function aboutIn(kind: LetterKind, named: string, { unknownStaff }: Catalogue["words"]): string {
  if (kind === "impersonation_begun") return greetableName(named) ?? unknownStaff;
  return kind === "personal_token_created" ? (greetableName(named) ?? "…") : named;
}

export interface LetterOptions {
  readonly appUrl: URL;
  readonly product: string;
  readonly look: MailLook;
  readonly words: Words;
}

/** Mails as text and HTML. Links lead to APP_URL, whatever host a request named: a forged Host header must not reach a mail. */
export function createLetters({ appUrl, product, look, words: allWords }: LetterOptions) {
  const home = baseUrl(appUrl);

  function catalogueFor(locale: string | null | undefined): Catalogue {
    const language = allWords.pick([locale ?? ""]);
    return { language, words: allWords.messages(language, "mails") };
  }

  function linkTo(path: string, query: Readonly<Record<string, string>> = {}): string {
    const url = new URL(`${home}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Writes the details of a mail. `passkey` is the owner's name for the passkey that the mail is about. */
  function detailsOf(
    occasion: Occasion,
    passkey: string | undefined,
    catalogue: Catalogue,
    zone: string | null | undefined,
  ): Letter["details"] {
    const { labels, unknownDevice } = catalogue.words;
    const device = occasion.device === "Unknown device" ? unknownDevice : occasion.device;
    return [
      { label: labels.passkey, lines: [passkey ?? ""] },
      { label: labels.when, lines: momentIn(occasion.at, catalogue, zone) },
      { label: labels.device, lines: [device ?? ""] },
      { label: labels.address, lines: [occasion.address ?? ""] },
    ].filter(({ lines }) => lines[0] !== "");
  }

  /** Writes a mail. Without an occasion it does not say where the request came from. */
  function compose(
    kind: LetterKind,
    { to, isOwn, user }: Addressee,
    occasion: Occasion | undefined,
    composed: Composed,
  ): Mail {
    const catalogue = catalogueFor(user?.locale);
    const { greeting, copy, letters, unknownTeam, footer } = catalogue.words;
    const { about: named = "", button, reject, code } = composed;
    const about = aboutIn(kind, named, catalogue.words);
    const team = greetableName(composed.team ?? "") ?? unknownTeam;
    const words: LetterWords = letters[kind];
    const [until = ""] =
      composed.expiresAt === undefined ? [] : momentIn(composed.expiresAt, catalogue, user?.timezone);
    const values = { product, about, team, until, code: code ?? "" };
    const filled = (text: string): string => fill(text, values, catalogue.language);
    const name =
      isOwn && user !== undefined && user.emailVerifiedAt !== null ? greetableName(user.displayName) : undefined;
    // The owner has typed the name of the passkey: a text that could be taken for a link is no name here, either.
    const passkey = kind.includes("passkey") ? greetableName(about) : undefined;
    return mailOf(to, {
      language: catalogue.language,
      subject: filled(words.subject),
      product,
      look,
      greeting: name === undefined ? greeting.plain : fill(greeting.named, { name }, catalogue.language),
      lead: filled(words.lead),
      details: occasion === undefined ? [] : detailsOf(occasion, passkey, catalogue, user?.timezone),
      wasAskedFor: kind.endsWith("_link"),
      button:
        words.button === undefined || button === undefined ? undefined : { label: words.button, url: button, copy },
      code: words.code === undefined || code === undefined ? undefined : { label: words.code, digits: code },
      validity: words.validity === undefined || until === "" ? undefined : filled(words.validity),
      otherwise: filled(words.otherwise),
      reject: words.reject === undefined || reject === undefined ? undefined : { label: words.reject, url: reject },
      footer: filled(words.footer ?? footer),
      home,
    });
  }

  return {
    passwordReset: (addressee: Addressee, occasion: Occasion, { token, expiresAt }: LinkToken): Mail =>
      compose("reset_link", addressee, occasion, { button: linkTo("/reset-password", { token }), expiresAt }),

    /** Without an occasion, the reader has not asked for the mail. */
    firstPassword: (addressee: Addressee, occasion: Occasion | undefined, { token, expiresAt }: LinkToken): Mail =>
      compose("first_password_link", addressee, occasion, { button: linkTo("/reset-password", { token }), expiresAt }),

    emailVerification(addressee: Addressee, occasion: Occasion, { token, expiresAt }: LinkToken): Mail {
      const button = linkTo("/verify-email", { token });
      const kind = addressee.isOwn ? "verification_link" : "new_address_link";
      return compose(kind, addressee, occasion, { button, reject: `${button}&reject=1`, expiresAt });
    },

    emailLogin: (addressee: Addressee, occasion: Occasion, { token, code, expiresAt }: MailedCode): Mail =>
      compose("email_login_link", addressee, occasion, { button: linkTo("/email-login", { token }), code, expiresAt }),

    /** Names the member of staff, or of the organization, who invited. A service or an operator is not named: the reader would not know them. */
    invitation(invitation: Invited, { token, expiresAt }: LinkToken): Mail {
      const { locale, inviterDisplayName, organizationName: team } = invitation;
      const inviter = inviterDisplayName === null ? undefined : greetableName(inviterDisplayName);
      const kinds =
        team === null
          ? (["invitation_link", "invitation_from_link"] as const)
          : (["organization_link", "organization_from_link"] as const);
      return compose(
        kinds[inviter === undefined ? 0 : 1],
        {
          to: mailAddress(invitation),
          isOwn: false,
          user: { displayName: "", emailVerifiedAt: null, locale, timezone: null },
        },
        undefined,
        { about: inviter, team: team ?? undefined, button: linkTo("/accept-invitation", { token }), expiresAt },
      );
    },

    /** Writes to the address that the account had until now. */
    addressMoved: (addressee: Addressee, occasion: Occasion, { token, expiresAt }: LinkToken): Mail =>
      compose("email_changed", addressee, occasion, { button: linkTo("/undo-email-change", { token }), expiresAt }),

    /** Writes to the address that the account asks to leave. */
    addressChangeAsked: (addressee: Addressee, occasion: Occasion, { token, expiresAt }: LinkToken): Mail =>
      compose("email_change_requested", addressee, occasion, {
        button: linkTo("/undo-email-change", { token }),
        expiresAt,
      }),

    /** Tells of a sign-in or an addition. `link` takes it back: a session, an identity, or the account's first factor. */
    added(
      addressee: Addressee,
      occasion: Occasion,
      {
        notice,
        about,
        link,
      }: { readonly notice: Notice; readonly about?: string | undefined; readonly link: LinkToken },
    ): Mail {
      const takeBack = `${linkTo("/reset-password", { token: link.token })}&reject=1`;
      const { expiresAt } = link;
      if (notice === "identity_linked" || notice === "new_device")
        return compose(notice, addressee, occasion, { about, button: linkTo("/account"), reject: takeBack, expiresAt });
      const kind = notice === "passkey_added" ? "first_passkey_added" : "first_totp_added";
      return compose(kind, addressee, occasion, { about, button: takeBack, expiresAt });
    },

    notice(
      addressee: Addressee,
      occasion: Occasion,
      notice: Notice,
      { about, team, organizationId }: Subject = {},
    ): Mail {
      const path = noticePaths[notice];
      const button =
        path === undefined ? undefined : linkTo(path, organizationId === undefined ? {} : { id: organizationId });
      return compose(notice, addressee, occasion, { about, team, button });
    },
  };
}

export type Letters = ReturnType<typeof createLetters>;
