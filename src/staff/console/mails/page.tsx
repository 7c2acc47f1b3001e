/** @jsxImportSource #html */
import type { ShownMail } from "../../../auth/index.ts";
import { Facets, Table, withQuery } from "../../../http/pages/parts/list.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { StaffPage } from "../../frame/page.tsx";

export const mailsPath = "/mail-previews";

const previewPath = (name: string, language: string): string => withQuery(`${mailsPath}/${name}`, { language });
const framePath = (name: string, language: string): string => withQuery(`${mailsPath}/${name}/html`, { language });

interface LanguagesProps {
  readonly context: StaffContext;
  readonly languages: readonly string[];
  readonly language: string;
  readonly hrefOf: (language: string) => string;
}

/** Names a language in English, as the pages for staff are. */
const nameOf = (language: string): string =>
  new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language;

const Languages = ({ context, languages, language, hrefOf }: LanguagesProps) => (
  <Facets
    write={context.count}
    label="Language"
    facets={languages.map((each) => ({ label: nameOf(each), href: hrefOf(each), isCurrent: each === language }))}
  />
);

interface MailsProps {
  readonly context: StaffContext;
  readonly languages: readonly string[];
  readonly language: string;
  readonly mails: readonly { readonly name: string; readonly subject: string }[];
}

/** Every mail that people may get, by its subject in one language. */
export const MailsPage = ({ context, languages, language, mails }: MailsProps) => {
  const { href } = context;
  return (
    <StaffPage context={context} title="Mails" at={mailsPath}>
      <h1 id="mails">Mails</h1>
      <p class="soft">
        What people are sent, with values that are made up: in your words and looks, as the settings of this app say.
      </p>
      <Languages
        {...{ context, languages, language }}
        hrefOf={(each) => href(withQuery(mailsPath, { language: each }))}
      />
      <Table
        labelledBy="mails"
        columns={["Subject", "Why", "Name in the words"]}
        rows={mails.map(({ name, subject }) => [
          <a href={href(previewPath(name, language))} lang={language}>
            {subject}
          </a>,
          name.endsWith("_link") ? "asked for" : "notice",
          <code>{name}</code>,
        ])}
      />
    </StaffPage>
  );
};

interface MailProps {
  readonly context: StaffContext;
  readonly languages: readonly string[];
  readonly language: string;
  readonly name: string;
  readonly mail: ShownMail;
}

/** One mail: its HTML in a frame that runs nothing, and its text. */
export const MailPage = ({ context, languages, language, name, mail }: MailProps) => {
  const { href } = context;
  return (
    <StaffPage context={context} title={mail.subject} at={mailsPath}>
      <p class="back">
        <a href={href(withQuery(mailsPath, { language }))}>Mails</a>
      </p>
      <h1 lang={language} dir="auto">
        {mail.subject}
      </h1>
      <p class="soft">
        Its words begin with <code>{`mails.letters.${name}.`}</code>
      </p>
      <Languages {...{ context, languages, language }} hrefOf={(each) => href(previewPath(name, each))} />
      <section>
        <h2>As HTML</h2>
        <iframe class="card mail" title="The mail as HTML" src={href(framePath(name, language))} sandbox="" />
      </section>
      <section>
        <h2>As text</h2>
        <pre class="card text" lang={language} dir="auto">
          {mail.text}
        </pre>
      </section>
    </StaffPage>
  );
};
