/** @jsxImportSource #html */
import { Document } from "../../http/pages/document.tsx";
import type { Children, Html } from "../../http/pages/jsx-runtime.ts";
import { Table } from "../../http/pages/parts/list.tsx";
import { commonStyle, createAsset } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import style from "./style.css" with { type: "text" };
import { mostMails, type KeptMail } from "../mailbox.ts";

export const styleAsset = createAsset("/mails/assets/style.css", `${commonStyle}${style}`);

export const mailboxPolicy = pagePolicy({ style: "'self'", image: "data:", frame: "'self'" });

const When = ({ at }: Pick<KeptMail, "at">) => (
  <time datetime={at}>{at.replace("T", " ").replace(/\.\d+Z$/, " UTC")}</time>
);

export const mailsPage = (mails: readonly KeptMail[]): Html => (
  <Document title="Mails" style={styleAsset.href}>
    <main id="main">
      <h1 id="mails">Mails</h1>
      <p>{`Nothing is sent while MAIL_DRIVER is log. The newest ${mostMails} mails are listed here, for this machine alone.`}</p>
      <Table
        labelledBy="mails"
        columns={["When", "To", "Subject"]}
        rows={mails.map((mail) => [<When at={mail.at} />, mail.to, <a href={`/mails/${mail.id}`}>{mail.subject}</a>])}
        empty={<p class="notice">No mail yet. Register an account, or ask for a new password, and it is here.</p>}
      />
    </main>
  </Document>
);

/** Turns the links to this app in the text into links to this host, under any name by which the reader has opened it. */
function withLinks(text: string, { origin }: URL): Children {
  return text.split(/(https?:\/\/\S+)/).map((part) => {
    const url = part.startsWith(`${origin}/`) ? URL.parse(part) : null;
    return url === null ? part : <a href={`${url.pathname}${url.search}`}>{part}</a>;
  });
}

export const mailPage = (mail: KeptMail, appUrl: URL): Html => (
  <Document title={mail.subject} style={styleAsset.href}>
    <main id="main" class="mail">
      <p>
        <a href="/mails">All mails</a>
      </p>
      <h1>{mail.subject}</h1>
      <p>
        {"To "}
        {mail.to}
        {", "}
        <When at={mail.at} />
      </p>
      <iframe
        title="The mail as HTML"
        src={`/mails/${mail.id}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
      />
      <h2>As text</h2>
      <pre>{withLinks(mail.text, appUrl)}</pre>
    </main>
  </Document>
);
