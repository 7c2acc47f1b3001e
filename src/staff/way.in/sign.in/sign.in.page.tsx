/** @jsxImportSource #html */
import { Check, Field, Hidden } from "../../../http/pages/parts/form.tsx";
import { Notice } from "../../../http/pages/parts/notice.tsx";
import { PasskeyForm } from "../factor.forms.tsx";
import { onward, type EntryView } from "./view.ts";
import { lasting } from "../../../account/shared/in.words.ts";
import { EntryForm, EntryPage, errorOf, MessagePage, Refusal, TypedField } from "./parts.tsx";

interface SignInProps {
  readonly view: EntryView;
  /** The page to show after the sign-in. */
  readonly next: string;
  readonly canRegister: boolean;
  /** Options for the browser to ask for a passkey. */
  readonly passkeyOptions: unknown;
}

export const SignInPage = ({ view, next, canRegister, passkeyOptions }: SignInProps) => {
  const { words, ownWords, typed, search, refusal, href } = view;
  const { fields, signIn, titles } = words;
  return (
    <EntryPage view={view} title={titles["/login"]} subtitle={`${ownWords.forStaff}${view.frame.stage}`}>
      {refusal === undefined && search.get("notice") === "signed-out" && (
        <Notice kind="good">{ownWords.signedOut}</Notice>
      )}
      <Refusal view={view} />
      <EntryForm view={view} action="/login">
        <Hidden fields={[["next", next]]} />
        <TypedField
          view={view}
          name="login"
          label={fields.login}
          type="text"
          autocomplete="username webauthn"
          autofocus={!typed.get("login")}
        />
        <Field
          name="password"
          label={fields.password}
          type="password"
          autocomplete="current-password"
          error={errorOf(view, "password", fields.password)}
          autofocus={Boolean(typed.get("login"))}
        />
        <div class="row">
          <Check name="remember" label={fields.remember} isChecked={typed.has("remember")} />
          <a href={onward(view, "/forgot-password", next)}>{signIn.forgot}</a>
        </div>
        <button class="primary">{signIn.submit}</button>
      </EntryForm>
      <PasskeyForm
        action={href("/login/passkey")}
        token={view.token}
        ask="get"
        options={passkeyOptions}
        fields={[["next", next]]}
        isSuggested
        label={words.factors.passkey.signIn}
        words={{ cancelled: words.refusals.passkey_cancelled }}
      />
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
  const { title, lead, sent, back } = view.words.signIn.unverified;
  const way = { href: view.href("/login"), label: back };
  return <MessagePage view={view} title={title} lines={[lead, sent(lasting(linkMs, view.words))]} way={way} />;
};

/** Asks a reader who opens /logout. A page of another site may link there, so the address alone signs nobody out. */
export const SignOutPage = ({ view, token }: { readonly view: EntryView; readonly token: string }) => {
  const { ownWords, href } = view;
  return (
    <EntryPage view={view} title={ownWords.signOut}>
      <p>{ownWords.signOutLead}</p>
      <EntryForm view={{ ...view, token }} action="/logout">
        <button class="primary">{ownWords.signOut}</button>
      </EntryForm>
      <a class="button" href={href("/")}>
        {ownWords.stay}
      </a>
    </EntryPage>
  );
};

interface ForbiddenProps {
  readonly view: EntryView;
  /** The user name of a signed-in person without the role. */
  readonly username: string;
}

export const ForbiddenPage = ({ view, username }: ForbiddenProps) => {
  const { forbidden, signOut } = view.ownWords;
  return (
    <EntryPage view={view} title={forbidden.title}>
      <p>
        {forbidden.signedInAs} <strong dir="auto">{username}</strong>
      </p>
      <p class="soft">{forbidden.lead(view.frame.product)}</p>
      <EntryForm view={view} action="/logout">
        <button class="primary">{signOut}</button>
      </EntryForm>
    </EntryPage>
  );
};
