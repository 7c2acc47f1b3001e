/** @jsxImportSource #html */
import { faultInWords } from "../../account/shared/in.words.ts";
import type { Terms } from "../../account/shared/terms.ts";
import {
  EntryForm,
  EntryPage,
  errorOf,
  MessagePage,
  NewPasswordField,
  type PasswordLengths,
  TermsField,
  TypedField,
} from "../sign.in/parts.tsx";
import { onward, type EntryView } from "../sign.in/view.ts";

interface RegisterProps {
  readonly view: EntryView;
  readonly next: string;
  readonly passwordLengths: PasswordLengths;
  /** Whether a mail comes before the first sign-in. */
  readonly verifiesAddress: boolean;
  readonly terms: Terms;
}

/** Refusals that blame the address. The user name is the address here, since the form has no field for another name. */
const ofAddress = ["email_taken", "username_taken", "domain_not_allowed"] as const;
const ofTerms = ["terms_required"] as const;

export const RegisterPage = ({ view, next, passwordLengths, verifiesAddress, terms }: RegisterProps) => {
  const { words, typed } = view;
  const { fields, register, signIn, titles } = words;
  const blamed = ofAddress.find((reason) => reason === view.refusal?.reason);
  const isAddressWrong = blamed !== undefined || errorOf(view, "email", fields.email) !== undefined;
  const areTermsMissing = ofTerms.some((reason) => reason === view.refusal?.reason);
  return (
    <EntryPage view={view} title={titles.register}>
      <EntryForm
        view={view}
        action="/register"
        hidden={[["next", next]]}
        submit={register.submit}
        blamed={[...ofAddress, ...ofTerms]}
      >
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
          error={blamed && faultInWords(words, blamed === "username_taken" ? "email_taken" : blamed, fields.email)}
          autofocus={isAddressWrong}
        />
        <NewPasswordField
          view={view}
          name="password"
          label={fields.password}
          lengths={passwordLengths}
          autofocus={typed.has("email") && !isAddressWrong && !areTermsMissing}
        />
        <TermsField view={view} terms={terms} />
      </EntryForm>
      <p class="aside">
        {register.have} <a href={onward(view, "/login", next)}>{signIn.submit}</a>
      </p>
    </EntryPage>
  );
};

/** Announces the mail that comes before the first sign-in, in the same words whether or not the address had an account. */
export const MailedPage = ({ view, email }: { readonly view: EntryView; readonly email: string }) => {
  const { lead, otherwise, back } = view.words.register.sent;
  const { title } = view.words.forgot.sent;
  const way = { href: view.href("/login"), label: back };
  return (
    <MessagePage view={view} title={title} lines={[lead({ email }), <span class="soft">{otherwise}</span>]} way={way} />
  );
};

export const ClosedPage = ({ view }: { readonly view: EntryView }) => {
  const { register, refusals } = view.words;
  const way = { href: view.href("/login"), label: register.sent.back };
  return <MessagePage view={view} title={register.closed} lines={[refusals.registration_closed]} way={way} />;
};
