/** @jsxImportSource #html */
import { around } from "../../words/index.ts";
import { faultInWords, refusalInWords } from "../../account/shared/in.words.ts";
import type { Terms } from "../../account/shared/terms.ts";
import { second, timestamp } from "../../core/clock.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import { Entry } from "../../http/pages/entry.tsx";
import { CheckField, Field, type FieldProps, Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import { Elsewhere, type Children } from "../../http/pages/jsx-runtime.ts";
import type { EntryView, FormView } from "./view.ts";

interface EntryPageProps {
  readonly view: EntryView;
  readonly title: string;
  readonly subtitle?: Children;
  readonly children: Children;
}

export const EntryPage = ({ view: { frame, language }, ...page }: EntryPageProps) => {
  const { style, schemes, script, mark } = frame;
  return <Entry {...page} {...{ language, style, schemes, script, mark }} />;
};

/** The page for a service that can't answer, and can't even tell who asks. */
export const TroublePage = ({ view }: { readonly view: EntryView }) => (
  <EntryPage view={view} title={view.ownWords.trouble}>
    <Refusal view={view} />
  </EntryPage>
);

interface MessagePageProps extends Omit<EntryPageProps, "children"> {
  readonly lines: readonly Children[];
  /** Where to go from here. */
  readonly way?: { readonly href: string; readonly label: string; readonly isPrimary?: boolean };
}

/** Says something, and leads on. */
export const MessagePage = ({ lines, way, ...page }: MessagePageProps) => (
  <EntryPage {...page}>
    {lines.map((line, index) => (
      <p key={index}>{line}</p>
    ))}
    {way !== undefined && (
      <a class={way.isPrimary === true ? "button primary" : "button"} href={way.href}>
        {way.label}
      </a>
    )}
  </EntryPage>
);

interface EntryFormProps {
  readonly view: EntryView;
  readonly action: string;
  /** Fields that are sent and not shown. */
  readonly hidden?: readonly (readonly [name: string, value: string])[];
  /** The act of the form, as a verb. */
  readonly submit: string;
  readonly kind?: "primary" | "danger";
  /** Refusals that a field tells of. */
  readonly blamed?: readonly string[];
  readonly children?: Children;
}

/** A form with one button. Above it stands why it was refused. */
export const EntryForm = (props: EntryFormProps) => {
  const { view, action, hidden = [], submit, kind = "primary", blamed, children } = props;
  return (
    <>
      <Refusal view={view} blamed={blamed} />
      <Form action={view.href(action)} token={view.token}>
        <Hidden fields={hidden} />
        {children}
        <button class={kind}>{submit}</button>
      </Form>
    </>
  );
};

/** Returns the fault of a field, where the form was refused for it. */
export function errorOf({ refusal, words }: FormView, name: string, label: string): string | undefined {
  const code = refusal?.fields?.[name]?.code;
  return code === undefined ? undefined : faultInWords(words, code, label);
}

interface TypedFieldProps extends Omit<FieldProps, "type" | "value"> {
  readonly view: FormView;
  readonly type: "text" | "email";
  /** The text of a form that was not sent yet. */
  readonly suggested?: string | null;
}

/** A field that keeps its text when the form comes back; never for passwords. */
export const TypedField = ({ view, name, label, suggested, maxLength = 320, error, ...rest }: TypedFieldProps) => (
  <Field
    {...rest}
    name={name}
    label={label}
    maxLength={maxLength}
    value={view.typed.get(name) ?? suggested ?? undefined}
    error={error ?? errorOf(view, name, label)}
  />
);

/** How long a password may be depends on the deployment. */
export type PasswordLengths = Pick<PasswordRules, "minLength" | "maxLength">;

interface NewPasswordFieldProps {
  readonly view: FormView;
  readonly name: string;
  readonly label: string;
  readonly lengths: PasswordLengths;
  readonly autofocus: boolean;
}

/** A password that is being chosen. */
export const NewPasswordField = ({ view, name, label, lengths, autofocus }: NewPasswordFieldProps) => {
  const { advice, tooLong } = view.words.password;
  const code = view.refusal?.fields?.[name]?.code;
  const lengthError =
    code === "too_short"
      ? advice({ least: lengths.minLength })
      : code === "too_long"
        ? tooLong({ most: lengths.maxLength })
        : undefined;
  return (
    <Field
      name={name}
      label={label}
      type="password"
      autocomplete="new-password"
      hint={advice({ least: lengths.minLength })}
      error={lengthError ?? errorOf(view, name, label)}
      autofocus={autofocus}
    />
  );
};

interface TermsFieldProps {
  readonly view: FormView;
  readonly terms: Terms;
}

/** The box by which a person accepts the terms, where they are asked to. */
export const TermsField = ({ view: { words, refusal }, terms: { version, url, privacyUrl } }: TermsFieldProps) => {
  if (version === undefined || url === undefined) return null;
  const { accept, acceptBoth, terms, privacy } = words.terms;
  const own = <Elsewhere href={url}>{terms}</Elsewhere>;
  const error = refusal?.reason === "terms_required" ? words.faults.terms_required : undefined;
  return (
    <CheckField name="accepted_terms" value={version} error={error}>
      {privacyUrl === undefined
        ? around(accept, { terms: own })
        : around(acceptBoth, { terms: own, privacy: <Elsewhere href={privacyUrl}>{privacy}</Elsewhere> })}
    </CheckField>
  );
};

/** Stands for the time in a sentence while it is taken apart. */
const mark = "\u0000";

/** Says until when every attempt is refused, in UTC. A script shows the reader's own time, and counts down. */
function Waiting({ view, seconds }: { readonly view: FormView; readonly seconds: number }) {
  const { words, refusal, now } = view;
  const { waits, tag } = words;
  const until = timestamp(Math.ceil((now + seconds * second) / 1000) * 1000);
  const isLocked = refusal?.reason === "account_locked";
  const [before, after] = (isLocked ? waits.lockedUntil({ time: mark }) : waits.limitedUntil({ time: mark })).split(
    mark,
  );
  const utc = new Intl.DateTimeFormat(tag, { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
  return (
    <div class="notice warning" role="alert" data-until={until} data-awake={waits.awake}>
      <p>
        <strong>{isLocked ? waits.locked : waits.limited}</strong>
      </p>
      <p>
        {before}
        <time datetime={until} data-local>
          {utc.format(Date.parse(until))} UTC
        </time>
        {after}
      </p>
      <p class="countdown" role="timer" aria-live="off" data-words={waits.left({ clock: "{clock}" })} hidden />
    </div>
  );
}

/** The shortest wait that names a time of day. A busy service asks for a few seconds only. */
const shortestWaitSeconds = 30;

/** Says why the form was refused, where no field is at fault. */
export function Refusal({
  view,
  blamed = [],
}: {
  readonly view: FormView;
  readonly blamed?: readonly string[] | undefined;
}) {
  const { refusal, words, ownWords, requestId } = view;
  // A passkey has no field on the page that could tell of it.
  const passkey = refusal?.fields?.["credential"]?.code;
  const isOfField = refusal?.fields !== undefined && passkey === undefined;
  if (refusal === undefined || isOfField || blamed.includes(refusal.reason)) return null;
  const { reason, status, retryAfterSeconds: seconds = 0 } = refusal;
  if (seconds >= shortestWaitSeconds) return <Waiting view={view} seconds={seconds} />;
  if (reason === "cross_site_request") return <Notice kind="warning">{ownWords.stale}</Notice>;
  if (status === 503) return <Notice kind="warning">{words.trouble.unavailable}</Notice>;
  if (status < 500) return <Notice kind="danger">{refusalInWords(words, passkey ?? reason, refusal.message)}</Notice>;
  return (
    <Notice kind="danger">
      <p>{words.trouble.broken}</p>
      <p class="soft">{words.trouble.reference({ id: requestId })}</p>
    </Notice>
  );
}
