import type { Mail } from "../../drivers/mail/index.ts";
import type { Notice } from "./jobs.ts";

interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
}

const noticeLetters: Readonly<Record<Notice, Letter>> = {
  password_changed: {
    subject: "Your password was changed",
    paragraphs: [
      "The password of your account was changed, and all other sessions were signed out.",
      "If this was not you, reset your password at once.",
    ],
  },
  password_reset: {
    subject: "Your password was reset",
    paragraphs: [
      "The password of your account was reset by a link from a mail, and all sessions were signed out.",
      "If this was not you, somebody can read your mail: secure the mailbox, then reset the password again.",
    ],
  },
  email_changed: {
    subject: "Your email address was changed",
    paragraphs: [
      "The email address of your account was changed, and this one no longer belongs to it.",
      "If this was not you, contact the operator of this service.",
    ],
  },
  refresh_reused: {
    subject: "A session was ended for your safety",
    paragraphs: [
      "A sign-in token of your account was used in two places, so that session was ended.",
      "If you did not copy it yourself, change your password.",
    ],
  },
  account_locked: {
    subject: "Sign-in to your account is locked for a while",
    paragraphs: [
      "A wrong password was given for your account several times in a row. Sign-in with the password is locked for a while; what is signed in already stays so.",
      "If this was not you, there is nothing you must do: no password fitted. Resetting your password lifts the lock at once.",
    ],
  },
  logins_blocked: {
    subject: "Sign-in to your account is blocked for unknown browsers",
    paragraphs: [
      "A wrong password was given for your account a hundred times in a row. From now on the password is taken only from a browser that has signed in before; what is signed in already stays so.",
      "In any other browser even your right password is refused now. To sign in there, reset your password, or sign in from a browser that has signed in before: either ends this.",
    ],
  },
  registration_attempted: {
    subject: "You already have an account",
    paragraphs: [
      "Somebody tried to register an account with this address, which already has one. Nothing was changed.",
      "If this was you, sign in, or reset your password if you have forgotten it.",
    ],
  },
  identity_linked: {
    subject: "A sign-in was linked to your account",
    paragraphs: [
      "{about} was linked to your account: whoever signs in there signs in to your account.",
      "If this was not you, unlink it in your account and change your password.",
    ],
  },
  identity_unlinked: {
    subject: "A sign-in was unlinked from your account",
    paragraphs: [
      "{about} was unlinked from your account and no longer signs in to it.",
      "If this was not you, reset your password at once.",
    ],
  },
};

/** Mails as text and HTML. Links lead to APP_URL, whatever host a request named: a forged Host header must not reach a mail. */
export function createLetters({ appUrl }: { appUrl: URL }) {
  const linkTo = (path: string, token: string): string => {
    const url = new URL(appUrl.href.replace(/\/*$/, path));
    url.searchParams.set("token", token);
    return url.href;
  };

  function compose(to: string, name: string, { subject, paragraphs, link }: Letter): Mail {
    const greeting = `Hello ${name},`;
    const lines = [greeting, ...paragraphs];
    const html = lines.map((line) => `<p>${Bun.escapeHTML(line)}</p>`);
    if (link !== undefined) {
      lines.splice(2, 0, link.url);
      html.splice(2, 0, `<p><a href="${Bun.escapeHTML(link.url)}">${Bun.escapeHTML(link.label)}</a></p>`);
    }
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${Bun.escapeHTML(subject)}</title></head>`;
    return { to, subject, text: `${lines.join("\n\n")}\n`, html: `${page}<body>${html.join("")}</body></html>\n` };
  }

  return {
    passwordReset: (to: string, name: string, token: string): Mail =>
      compose(to, name, {
        subject: "Reset your password",
        paragraphs: [
          "Open this link to choose a new password:",
          "It works once. If you did not ask for it, ignore this mail: nothing was changed.",
        ],
        link: { label: "Choose a new password", url: linkTo("/reset-password", token) },
      }),

    emailVerification: (to: string, name: string, token: string): Mail =>
      compose(to, name, {
        subject: "Verify your email",
        paragraphs: [
          "Open this link to verify your email address:",
          "It works once. If you did not register, ignore this mail.",
        ],
        link: { label: "Verify the address", url: linkTo("/verify-email", token) },
      }),

    notice(to: string, name: string, notice: Notice, about = ""): Mail {
      const { subject, paragraphs } = noticeLetters[notice];
      return compose(to, name, { subject, paragraphs: paragraphs.map((line) => line.replace("{about}", () => about)) });
    },
  };
}

export type Letters = ReturnType<typeof createLetters>;
