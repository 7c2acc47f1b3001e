/** @jsxImportSource #html */
import type { Brand } from "../../http/pages/brand/brand.ts";
import { Document, PageStyle } from "../../http/pages/document.tsx";
import type { Children, Html } from "../../http/pages/jsx-runtime.ts";
import { commonStyle, createAsset } from "../../http/pages/style/assets.ts";
import { mostMails, type KeptMail } from "../mailbox.ts";
import { usesIn } from "./uses.ts";
import script from "./script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };

export const styleAsset = createAsset("/mails/assets/style.css", `${commonStyle}${style}`);
export const scriptAsset = createAsset("/mails/assets/script.js", script);

/** What the page has to know besides the mails. */
export interface MailboxFrame {
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly appUrl: URL;
}

const When = ({ at }: Pick<KeptMail, "at">) => (
  <time datetime={at}>{at.replace("T", " ").replace(/\.\d+Z$/, " UTC")}</time>
);

/** Returns the address of a link at this host, under any name by which the reader has opened it; undefined for a link to elsewhere. */
function hereOf(address: string, { origin }: URL): string | undefined {
  const url = address.startsWith(`${origin}/`) ? URL.parse(address) : null;
  return url === null ? undefined : `${url.pathname}${url.search}`;
}

/** Turns the links to this app in the text into links to this host. */
const withLinks = (text: string, appUrl: URL): Children =>
  text.split(/(https?:\/\/\S+)/).map((part) => {
    const here = hereOf(part, appUrl);
    return here === undefined ? part : <a href={here}>{part}</a>;
  });

/** What a developer came for: the code and the links, each to be opened, or copied with a click. */
const Uses = ({ mail, appUrl }: { readonly mail: KeptMail; readonly appUrl: URL }) => {
  const { code, links } = usesIn(mail.text);
  if (code === undefined && links.length === 0) return <></>;
  return (
    <ul class="uses" aria-label="Code and links">
      {code !== undefined && (
        <li>
          <code class="digits">{code}</code>
          <button type="button" data-copy={code}>
            Copy code
          </button>
        </li>
      )}
      {links.map(({ label, address }) => {
        const here = hereOf(address, appUrl);
        return (
          <li key={address}>
            <div>
              {here === undefined ? label : <a href={here}>{label}</a>}
              <code>{address}</code>
            </div>
            <button type="button" data-copy={address}>
              Copy link<span class="unseen">: {label}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
};

interface MailProps {
  readonly mail: KeptMail;
  readonly appUrl: URL;
  /** Whether the page is about this mail, and not about the list. */
  readonly isOpen: boolean;
}

const Mail = ({ mail, appUrl, isOpen }: MailProps) => (
  <article class="mail" aria-labelledby="subject">
    <header>
      {isOpen ? <h1 id="subject">{mail.subject}</h1> : <h2 id="subject">{mail.subject}</h2>}
      <p class="soft">
        {"To "}
        <bdi>{mail.to}</bdi>
        {", "}
        <When at={mail.at} />
      </p>
    </header>
    <Uses mail={mail} appUrl={appUrl} />
    <iframe
      title="The mail as HTML"
      src={`/mails/${mail.id}/html`}
      // The mail runs no script. Its origin lets the page measure it, so that it is shown whole.
      sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"
      referrerpolicy="no-referrer"
    />
    <section aria-labelledby="text">
      <div class="heading">
        <h2 id="text">As text</h2>
        <button type="button" data-copy={mail.text}>
          Copy text
        </button>
      </div>
      <pre>{withLinks(mail.text, appUrl)}</pre>
    </section>
  </article>
);

interface MailsPageProps extends MailboxFrame {
  readonly mails: readonly KeptMail[];
  /** The mail that was asked for. Undefined for the list, beside which a wide screen has room for the newest mail. */
  readonly open: KeptMail | undefined;
}

/** The list, and beside it one mail. A screen without room for both shows what was asked for. */
export const mailsPage = ({ brand: { mark, look }, appUrl, mails, open }: MailsPageProps): Html => {
  const shown = open ?? mails[0];
  return (
    <Document
      title={open === undefined ? `Mails · ${mark.product}` : `${open.subject} · Mails`}
      icon={mark.icon}
      style={PageStyle({ href: styleAsset.href, look })}
      schemes={look.schemes}
      script={scriptAsset.href}
    >
      <a class="skip" href="#mail">
        Skip to the mail
      </a>
      <header class="page-head">
        <p class="brand">
          <a href="/">{mark.product}</a> <span class="place">Mails</span>
        </p>
      </header>
      <main id="main" class={open === undefined ? "mails" : "mails is-open"}>
        <nav class="list" aria-label="Mails">
          {open === undefined ? <h1>Mails</h1> : <h2>Mails</h2>}
          <p class="soft">{`Nothing is sent while MAIL_DRIVER is log. The newest ${mostMails} are here, for this machine alone.`}</p>
          {mails.length === 0 && (
            <p class="notice">No mail yet. Register an account, or ask for a new password, and it is here.</p>
          )}
          <ol>
            {mails.map((mail) => (
              <li key={mail.id}>
                <a href={`/mails/${mail.id}`} aria-current={mail.id === shown?.id ? "page" : undefined}>
                  <strong>{mail.subject}</strong>
                  <bdi>{mail.to}</bdi>
                  <When at={mail.at} />
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div id="mail" tabindex={-1}>
          <p class="back">
            <a href="/mails">All mails</a>
          </p>
          {shown !== undefined && <Mail mail={shown} appUrl={appUrl} isOpen={open !== undefined} />}
        </div>
        <p class="unseen" role="status" id="said" />
      </main>
    </Document>
  );
};
