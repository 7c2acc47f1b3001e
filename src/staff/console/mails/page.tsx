/** @jsxImportSource #html */
import type { ShownMail } from "../../../auth/index.ts";
import { around } from "../../../words/index.ts";
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

const Languages = ({ context, languages, language, hrefOf }: LanguagesProps) => {
  const names = new Intl.DisplayNames([context.speech.language], { type: "language" });
  return (
    <Facets
      write={context.count}
      label={context.words.mails.language}
      facets={languages.map((each) => ({
        label: names.of(each) ?? each,
        href: hrefOf(each),
        isCurrent: each === language,
      }))}
    />
  );
};

interface MailsProps {
  readonly context: StaffContext;
  readonly languages: readonly string[];
  readonly language: string;
  readonly mails: readonly { readonly name: string; readonly subject: string }[];
}

/** Every mail that people may get, by its subject in one language. */
export const MailsPage = ({ context, languages, language, mails }: MailsProps) => {
  const { href } = context;
  const words = context.words.mails;
  return (
    <StaffPage context={context} title={words.title} at={mailsPath}>
      <h1 id="mails">{words.title}</h1>
      <p class="soft">{words.lead}</p>
      <Languages
        {...{ context, languages, language }}
        hrefOf={(each) => href(withQuery(mailsPath, { language: each }))}
      />
      <Table
        labelledBy="mails"
        columns={[words.subject, words.why, words.name]}
        rows={mails.map(({ name, subject }) => [
          <a href={href(previewPath(name, language))} lang={language}>
            {subject}
          </a>,
          name.endsWith("_link") ? words.asked : words.notice,
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
  const words = context.words.mails;
  return (
    <StaffPage context={context} title={mail.subject} at={mailsPath}>
      <p class="back">
        <a href={href(withQuery(mailsPath, { language }))}>{words.title}</a>
      </p>
      <h1 lang={language} dir="auto">
        {mail.subject}
      </h1>
      <p class="soft">{around(words.words, { name: <code>{`mails.letters.${name}.`}</code> })}</p>
      <Languages {...{ context, languages, language }} hrefOf={(each) => href(previewPath(name, each))} />
      <section>
        <h2>{words.html}</h2>
        <iframe class="card mail" title={words.frame} src={href(framePath(name, language))} sandbox="" />
      </section>
      <section>
        <h2>{words.text}</h2>
        <pre class="card text" lang={language} dir="auto">
          {mail.text}
        </pre>
      </section>
    </StaffPage>
  );
};
