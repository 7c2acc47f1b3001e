/** @jsxImportSource #html */
import { addedInWords, lasting } from "../../account/shared/in.words.ts";
import type { InspectedReset } from "../../auth/index.ts";
import { Aside, Check } from "../../http/pages/parts/form.tsx";
import type { EntryView } from "./view.ts";
import { EntryForm, EntryPage, MessagePage, NewPasswordField, type PasswordLengths, TypedField } from "./parts.tsx";

export const ForgotPage = ({ view }: { readonly view: EntryView }) => {
  const { words, href } = view;
  const { fields, forgot, signIn, titles } = words;
  return (
    <EntryPage view={view} title={titles.forgotPassword} subtitle={forgot.lead}>
      <EntryForm view={view} action="/forgot-password" submit={forgot.submit}>
        <TypedField view={view} name="login" label={fields.login} type="text" autocomplete="username" autofocus />
      </EntryForm>
      <Aside href={href("/login")}>{signIn.back}</Aside>
    </EntryPage>
  );
};

interface AskedProps {
  readonly view: EntryView;
  readonly linkMs: number;
  /** The token, where the app answers with it instead of mailing it. */
  readonly resetToken: string | undefined;
}

/** Confirms the request in the same words whether or not the account exists. */
export const ResetAskedPage = ({ view, linkMs, resetToken }: AskedProps) => {
  const { words, typed, href } = view;
  const { forgot, signIn } = words;
  const { title, lead, validity, otherwise, again, local, open } = forgot.sent;
  return (
    <EntryPage view={view} title={title}>
      {resetToken === undefined ? (
        <>
          <p>{lead({ login: (typed.get("login") ?? "").trim() })}</p>
          <p>{validity({ duration: lasting(linkMs, words) })}</p>
          <p class="soft">{otherwise}</p>
        </>
      ) : (
        <>
          <p>{local}</p>
          <a class="button primary" href={`${href("/reset-password")}?token=${encodeURIComponent(resetToken)}`}>
            {open}
          </a>
        </>
      )}
      <a class="button" href={href("/forgot-password")}>
        {again}
      </a>
      <Aside href={href("/login")}>{signIn.back}</Aside>
    </EntryPage>
  );
};

interface ResetProps {
  readonly view: EntryView;
  readonly resetToken: string;
  /** Whether the link takes a second factor back. */
  readonly isUndo: boolean;
  readonly inspected: InspectedReset;
  readonly passwordLengths: PasswordLengths;
}

export const ResetPage = ({ view, resetToken, isUndo, inspected, passwordLengths }: ResetProps) => {
  const { factors, fields, titles } = view.words;
  const { reset } = view.ownWords;
  const { added, hasPassword, isOfSignIn } = inspected;
  const isFirst = !hasPassword && !isUndo;
  const { title, lead, submit } = isFirst ? reset.first : { ...reset, title: titles.resetPassword };
  return (
    <EntryPage view={view} title={title} subtitle={isOfSignIn ? reset.signIn.done : isUndo ? factors.undo : lead}>
      <EntryForm
        view={view}
        action="/reset-password"
        hidden={[
          ["token", resetToken],
          ...(isUndo ? [["reject", "1"] as const] : []),
          ...(isOfSignIn ? [["rejected", "1"] as const] : []),
          ...(isFirst ? [["first", "1"] as const] : []),
        ]}
        submit={submit}
      >
        <NewPasswordField
          view={view}
          name="new_password"
          label={isFirst ? fields.password : fields.newPassword}
          lengths={passwordLengths}
          autofocus
        />
        {added.length > 0 && (
          <fieldset>
            <legend>{reset.added.title}</legend>
            <p>{reset.added.lead}</p>
            {added.map((each) => (
              <Check
                key={each.id}
                name="keep"
                value={each.id}
                label={reset.added.keep({ what: addedInWords(each, reset.added) })}
                isChecked={view.typed.getAll("keep").includes(each.id)}
              />
            ))}
          </fieldset>
        )}
      </EntryForm>
    </EntryPage>
  );
};

export const ResetDonePage = ({ view, isFirst }: { readonly view: EntryView; readonly isFirst: boolean }) => {
  const { reset } = view.ownWords;
  const { title, lead } = isFirst ? reset.first.done : reset.done;
  const way = { href: view.href("/login"), label: view.words.signIn.submit, isPrimary: true };
  return <MessagePage view={view} title={title} lines={[lead]} way={way} />;
};
