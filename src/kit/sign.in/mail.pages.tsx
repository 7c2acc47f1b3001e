/** @jsxImportSource #html */
import { lasting } from "../../account/shared/in.words.ts";
import { Aside, Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import { EntryForm, EntryPage, TypedField } from "./parts.tsx";
import { mailTokenOf, onward, type EntryView } from "./view.ts";

/** Where a person asks for a mail that signs in. */
export const mailPath = "/login/mail";
/** Where the code of the mail is sent to. */
export const codePath = "/login/mail/code";

interface MailProps {
  readonly view: EntryView;
  /** The page to show after the sign-in. */
  readonly next: string;
}

export const MailPage = ({ view, next }: MailProps) => {
  const { factors, fields, signIn } = view.words;
  const { offer, lead, submit } = factors.byMail;
  return (
    <EntryPage view={view} title={offer} subtitle={lead}>
      <EntryForm view={view} action={mailPath} hidden={[["next", next]]} submit={submit}>
        <TypedField view={view} name="login" label={fields.login} type="text" autocomplete="username" autofocus />
      </EntryForm>
      <Aside href={onward(view, "/login", next)}>{signIn.back}</Aside>
    </EntryPage>
  );
};

interface MailedCodeProps extends MailProps {
  /** How long the mail works. */
  readonly ttlMs: number;
}

/** Follows the request of a mail, in the same words whether or not the account exists, and takes the code of the mail. */
export const MailedCodePage = ({ view, next, ttlMs }: MailedCodeProps) => {
  const { words, typed, refusal, href, token } = view;
  const { factors, fields, forgot, signIn } = words;
  const { lead, label, wrong, again } = factors.byMail.sent;
  const login = (typed.get("login") ?? "").trim();
  const hidden = [
    ["login", login],
    ["next", next],
  ] as const;
  return (
    <EntryPage view={view} title={forgot.sent.title} subtitle={lead({ login, duration: lasting(ttlMs, words) })}>
      <EntryForm view={view} action={codePath} hidden={hidden} submit={signIn.submit} blamed={["invalid_code"]}>
        <Field
          name="code"
          label={label}
          type="text"
          autocomplete="one-time-code"
          inputMode="numeric"
          maxLength={32}
          error={refusal?.reason === "invalid_code" ? wrong : undefined}
          autofocus
        />
        <label class="check">
          <input type="checkbox" name="remember" value="on" checked={typed.has("remember")} />
          {fields.remember}
        </label>
      </EntryForm>
      <Form action={href(mailPath)} token={token} class="aside">
        <Hidden fields={hidden} />
        <button class="link">{again}</button>
      </Form>
      <Aside href={onward(view, "/login", next)}>{signIn.back}</Aside>
    </EntryPage>
  );
};

/** Signs in by the link of the mail, once its reader asks for it: mail filters open links. */
export const MailLinkPage = ({ view }: Pick<MailProps, "view">) => {
  const { factors, signIn, titles } = view.words;
  return (
    <EntryPage view={view} title={titles.emailLogin}>
      <p>{factors.byMail.link.lead}</p>
      <EntryForm view={view} action="/email-login" hidden={[["token", mailTokenOf(view)]]} submit={signIn.submit} />
    </EntryPage>
  );
};
