/** @jsxImportSource #html */
import { Field, Hidden } from "../../http/pages/form.tsx";
import type { EntryView } from "./view.ts";
import { EntryForm, EntryPage, errorOf, newPasswordError, Refusal, TypedField } from "./parts.tsx";

interface RegisterProps {
  readonly view: EntryView;
  readonly next: string;
  readonly passwordLengths: { readonly minLength: number; readonly maxLength: number };
  /** Whether a person has to verify the address by a mail before the first sign-in. */
  readonly verifiesAddress: boolean;
}

/** Refusals that blame the address. The user name is the address here, since the form has no field for another name. */
const ofAddress = ["email_taken", "username_taken"] as const;

export const RegisterPage = ({ view, next, passwordLengths, verifiesAddress }: RegisterProps) => {
  const { words, typed, href } = view;
  const { fields, register, titles, password } = words;
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
        <Field
          name="password"
          label={fields.password}
          type="password"
          autocomplete="new-password"
          hint={password.advice(passwordLengths.minLength)}
          error={newPasswordError(view, "password", fields.password, passwordLengths)}
          autofocus={typed.has("email") && !isAddressWrong}
        />
        <button class="primary">{register.submit}</button>
      </EntryForm>
      <p class="aside">
        {register.have} <a href={`${href("/login")}?next=${encodeURIComponent(next)}`}>{register.signIn}</a>
      </p>
    </EntryPage>
  );
};

/** Announces the mail that comes before the first sign-in, in the same words whether or not the address had an account. */
export const MailedPage = ({ view, email }: { readonly view: EntryView; readonly email: string }) => {
  const { title, lead, otherwise, back } = view.words.register.sent;
  return (
    <EntryPage view={view} title={title}>
      <p>{lead(email)}</p>
      <p class="soft">{otherwise}</p>
      <a class="button" href={view.href("/login")}>
        {back}
      </a>
    </EntryPage>
  );
};

export const ClosedPage = ({ view }: { readonly view: EntryView }) => {
  const { register, refusals } = view.words;
  return (
    <EntryPage view={view} title={register.closed}>
      <p>{refusals.registration_closed}</p>
      <a class="button" href={view.href("/login")}>
        {register.sent.back}
      </a>
    </EntryPage>
  );
};
