/** @jsxImportSource #html */
import { Check, Field, Notice } from "../../http/pages/parts/form.tsx";
import { PasskeyForm } from "../proof/factor.forms.tsx";
import { ConfiguredLink, type Children } from "../../http/pages/jsx-runtime.ts";
import { mailPath } from "./mail.pages.tsx";
import { onward, type EntryView } from "./view.ts";
import { faultInWords, lasting } from "../../account/shared/in.words.ts";
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
} from "./parts.tsx";

interface SignInProps {
  readonly view: EntryView;
  /** The page to show after the sign-in. */
  readonly next: string;
  readonly canRegister: boolean;
  /** Whether people also sign in by a mail. */
  readonly hasMail: boolean;
  /** Options for the browser to ask for a passkey. */
  readonly passkeyOptions: unknown;
}

/** Names the destination of a sign-in, where that is another site, or says for whom the pages are. */
function leadOf({ words, ownWords, frame }: EntryView, next: string): Children {
  if (next.startsWith("/")) return frame.audience?.(ownWords);
  return (
    <>
      {words.signIn.goOn} <strong>{new URL(next).host}</strong>
    </>
  );
}

/** Says what has led here: the way out in whichever form. */
function farewellOf({ words, ownWords, search, refusal }: EntryView): string | undefined {
  const { everywhere, deleted } = words.signIn.farewell;
  const said = new Map([
    ["signed-out", ownWords.signedOut],
    ["everywhere", everywhere],
    ["deleted", deleted],
  ]);
  return refusal === undefined ? said.get(search.get("notice") ?? "") : undefined;
}

export const SignInPage = ({ view, next, canRegister, hasMail, passkeyOptions }: SignInProps) => {
  const { words, search, href } = view;
  const { factors, fields, signIn, titles } = words;
  const login = view.typed.get("login") ?? search.get("login_hint") ?? "";
  const farewell = farewellOf(view);
  return (
    <EntryPage view={view} title={titles.signIn} subtitle={leadOf(view, next)}>
      {farewell !== undefined && <Notice kind="good">{farewell}</Notice>}
      <EntryForm view={view} action="/login" hidden={[["next", next]]} submit={signIn.submit}>
        <TypedField
          view={view}
          name="login"
          label={fields.login}
          type="text"
          autocomplete="username webauthn"
          suggested={login}
          autofocus={login === ""}
        />
        <Field
          name="password"
          label={fields.password}
          type="password"
          autocomplete="current-password"
          error={errorOf(view, "password", fields.password)}
          autofocus={login !== ""}
        />
        <div class="row">
          <Check name="remember" label={fields.remember} isChecked={view.typed.has("remember")} />
          <a href={onward(view, "/forgot-password", next)}>{signIn.forgot}</a>
        </div>
      </EntryForm>
      <PasskeyForm
        action={href("/login/passkey")}
        token={view.token}
        ask="get"
        options={passkeyOptions}
        fields={[["next", next]]}
        isSuggested
        label={factors.passkey.signIn}
        words={{ cancelled: words.refusals.passkey_cancelled }}
      />
      {hasMail && (
        <a class="button" href={onward(view, mailPath, next)}>
          {factors.byMail.offer}
        </a>
      )}
      {canRegister && (
        <p class="aside">
          {signIn.newHere} <a href={onward(view, "/register", next)}>{signIn.register}</a>
        </p>
      )}
    </EntryPage>
  );
};

/** Follows a right password whose address is not verified: a mail with a link is on its way. */
export const UnverifiedPage = ({ view, linkMs }: { readonly view: EntryView; readonly linkMs: number }) => {
  const { back, unverified } = view.words.signIn;
  const { title, lead, sent } = unverified;
  const way = { href: view.href("/login"), label: back };
  return (
    <MessagePage view={view} title={title} lines={[lead, sent({ duration: lasting(linkMs, view.words) })]} way={way} />
  );
};

interface KnownProps {
  readonly view: EntryView;
  readonly next: string;
  readonly name: string;
}

/** Lets somebody who is signed in choose whether to go on as that person: an app asks for the choice. */
export const KnownPage = ({ view, next, name }: KnownProps) => {
  const { titles, signIn } = view.words;
  return (
    <EntryPage view={view} title={titles.signIn} subtitle={leadOf(view, next)}>
      <p>{signIn.signedInAs({ name })}</p>
      <ConfiguredLink look="button primary" href={next}>
        {signIn.continueAs}
      </ConfiguredLink>
      <a class="button" href={`${onward(view, "/login", next)}&reauthenticate=true`}>
        {signIn.another}
      </a>
    </EntryPage>
  );
};

/** Leads on to where a form may not lead by itself. The answer tells the browser to go on at once. */
export const OnwardPage = ({ view, next }: Omit<KnownProps, "name">) => {
  const { title, lead } = view.ownWords.onward;
  return (
    <EntryPage view={view} title={title}>
      <p>{lead}</p>
      <ConfiguredLink look="button primary" href={next}>
        {view.words.signIn.continueAs}
      </ConfiguredLink>
    </EntryPage>
  );
};

/** Asks a reader who opens /logout. A page of another site may link there, so the address alone signs nobody out. */
export const SignOutPage = ({ view, token }: { readonly view: EntryView; readonly token: string }) => {
  const { ownWords, href } = view;
  return (
    <EntryPage view={view} title={ownWords.signOut}>
      <p>{ownWords.signOutLead}</p>
      <EntryForm view={{ ...view, token }} action="/logout" submit={ownWords.signOut} />
      <a class="button" href={href("/")}>
        {ownWords.stay}
      </a>
    </EntryPage>
  );
};

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
