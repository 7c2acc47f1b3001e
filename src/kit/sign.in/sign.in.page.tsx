/** @jsxImportSource #html */
import { around } from "../../words/index.ts";
import { Check, Field, Notice } from "../../http/pages/parts/form.tsx";
import { PasskeyForm } from "../proof/factor.forms.tsx";
import { ConfiguredLink, type Children, type Html } from "../../http/pages/jsx-runtime.ts";
import { mailPath } from "./mail.pages.tsx";
import { onward, type EntryView } from "./view.ts";
import { lasting } from "../../account/shared/in.words.ts";
import { EntryForm, EntryPage, errorOf, MessagePage, Refusal, TypedField } from "./parts.tsx";

/** A way to sign in that needs no other host. */
export type EntryWay = "password" | "passkey" | "email";

interface SignInProps {
  readonly view: EntryView;
  /** The page to show after the sign-in. */
  readonly next: string;
  readonly canRegister: boolean;
  /** The ways to sign in that the page offers, in their order. */
  readonly ways: readonly EntryWay[];
  /** Options for the browser to ask for a passkey. */
  readonly passkeyOptions: unknown;
}

/** Names the destination of a sign-in, where that is another site, or says for whom the pages are. */
function leadOf({ words, ownWords, frame }: EntryView, next: string): Children {
  if (next.startsWith("/")) return frame.audience?.(ownWords);
  return around(words.signIn.goOn, { place: <strong>{new URL(next).host}</strong> });
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

const PasswordForm = ({ view, next }: Pick<SignInProps, "view" | "next">) => {
  const { fields, signIn } = view.words;
  const login = view.typed.get("login") ?? view.search.get("login_hint") ?? "";
  return (
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
  );
};

const PasskeyWay = ({ view, next, passkeyOptions }: Omit<SignInProps, "canRegister" | "ways">) => (
  <PasskeyForm
    action={view.href("/login/passkey")}
    token={view.token}
    ask="get"
    options={passkeyOptions}
    fields={[["next", next]]}
    isSuggested
    label={view.words.factors.passkey.signIn}
    words={{ cancelled: view.words.refusals.passkey_cancelled }}
  />
);

export const SignInPage = (props: SignInProps) => {
  const { view, next, canRegister, ways } = props;
  const { factors, signIn, titles } = view.words;
  const farewell = farewellOf(view);
  const shown: Readonly<Record<EntryWay, Html>> = {
    password: <PasswordForm {...props} />,
    passkey: <PasskeyWay {...props} />,
    email: (
      <a class="button" href={onward(view, mailPath, next)}>
        {factors.byMail.offer}
      </a>
    ),
  };
  return (
    <EntryPage view={view} title={titles.signIn} subtitle={leadOf(view, next)}>
      {farewell !== undefined && <Notice kind="good">{farewell}</Notice>}
      {!ways.includes("password") && <Refusal view={view} />}
      {ways.map((way) => shown[way])}
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
  const { title, lead } = view.frame.words.say(view.language, "kit").onward;
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
