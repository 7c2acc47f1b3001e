/** @jsxImportSource #html */
import { Hidden } from "../../../http/pages/parts/form.tsx";
import { onward, type EntryView } from "./view.ts";
import {
  EntryForm,
  EntryPage,
  errorOf,
  MessagePage,
  NewPasswordField,
  type PasswordLengths,
  Refusal,
  TypedField,
} from "./parts.tsx";

interface RegisterProps {
  readonly view: EntryView;
  readonly next: string;
  readonly passwordLengths: PasswordLengths;
  /** Whether a mail comes before the first sign-in. */
  readonly verifiesAddress: boolean;
}

/** Refusals that blame the address. The user name is the address here, since the form has no field for another name. */
const ofAddress = ["email_taken", "username_taken"] as const;

export const RegisterPage = ({ view, next, passwordLengths, verifiesAddress }: RegisterProps) => {
  const { words, typed } = view;
  const { fields, register, titles } = words;
  const isTaken = ofAddress.some((reason) => reason === view.refusal?.reason);
  const isAddressWrong = isTaken || errorOf(view, "email", fields.email) !== undefined;
  return (
    <EntryPage view={view} title={titles["/register"]}>
      <Refusal view={view} blamed={ofAddress} />
      <EntryForm view={view} action="/register">
        <Hidden fields={[["next", next]]} />
        <TypedField
          view={view}
          name="display_name"
          label={fields.name}
          type="text"
          autocomplete="name"
          maxLength={200}
          autofocus={!typed.has("email")}
          isOptional
        />
        <TypedField
          view={view}
          name="email"
          label={fields.email}
          type="email"
          autocomplete="username"
          hint={verifiesAddress ? register.mailComes : undefined}
          error={isTaken ? words.faults.email_taken : undefined}
          autofocus={isAddressWrong}
        />
        <NewPasswordField
          view={view}
          name="password"
          label={fields.password}
          lengths={passwordLengths}
          autofocus={typed.has("email") && !isAddressWrong}
        />
        <button class="primary">{register.submit}</button>
      </EntryForm>
      <p class="aside">
        {register.have} <a href={onward(view, "/login", next)}>{register.signIn}</a>
      </p>
    </EntryPage>
  );
};

/** Announces the mail that comes before the first sign-in, in the same words whether or not the address had an account. */
export const MailedPage = ({ view, email }: { readonly view: EntryView; readonly email: string }) => {
  const { title, lead, otherwise, back } = view.words.register.sent;
  const way = { href: view.href("/login"), label: back };
  return (
    <MessagePage view={view} title={title} lines={[lead(email), <span class="soft">{otherwise}</span>]} way={way} />
  );
};

export const ClosedPage = ({ view }: { readonly view: EntryView }) => {
  const { register, refusals } = view.words;
  const way = { href: view.href("/login"), label: register.sent.back };
  return <MessagePage view={view} title={register.closed} lines={[refusals.registration_closed]} way={way} />;
};
