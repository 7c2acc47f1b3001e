/** @jsxImportSource #html */
import type { StoredFactor } from "../../auth/index.ts";
import { Field, Form } from "../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../frame/confirm.page.tsx";
import type { PersonContext } from "../frame/context.ts";

interface ManageProps {
  readonly context: PersonContext;
  /** Whether the account has no other factor. */
  readonly isLast: boolean;
}

export const RemoveAppPage = ({ context, isLast }: ManageProps) => {
  const { twoStepPath: path, speech } = context;
  const { section } = speech.words.factors;
  const { removeTitle, removeOf } = section.app;
  return (
    <ConfirmPage context={context} title={removeTitle} action={`${path}/app/remove`} label={removeOf} cancel={path}>
      {isLast && <p>{section.last}</p>}
      <p class="soft">{speech.kit.twoStep.appStays}</p>
    </ConfirmPage>
  );
};

export const RenewCodesPage = ({ context }: { readonly context: PersonContext }) => {
  const { twoStepPath: path, speech } = context;
  const { renewTitle, renew, renewMeans } = speech.words.factors.section.codes;
  return (
    <ConfirmPage context={context} title={renewTitle} action={`${path}/codes`} label={renew} cancel={path}>
      <p>{renewMeans}</p>
    </ConfirmPage>
  );
};

interface PasskeyProps extends ManageProps {
  readonly passkey: StoredFactor;
  readonly error?: string;
}

/** The page of one passkey, on which its owner renames or removes it. */
export const PasskeyPage = ({ context, passkey: { id, name }, isLast, error }: PasskeyProps) => {
  const { href, token, twoStepPath: path, speech } = context;
  const { section } = speech.words.factors;
  const { passkeys } = section;
  const children = (
    <>
      <p class="back">
        <a href={href(path)}>{speech.account.sections.factors}</a>
      </p>
      <h1 dir="auto">{name}</h1>
      <div class="two-step">
        <section class="card">
          <h2>{passkeys.rename}</h2>
          <Form action={href(`${path}/passkeys/${id}/rename`)} token={token}>
            <Field
              name="name"
              label={passkeys.name}
              type="text"
              autocomplete="off"
              maxLength={64}
              value={name ?? ""}
              error={error}
            />
            <button>{passkeys.rename}</button>
          </Form>
        </section>
        <section class="card">
          <h2>{passkeys.remove}</h2>
          <p>{passkeys.removeMeans}</p>
          {isLast && <p>{section.last}</p>}
          <Form action={href(`${path}/passkeys/${id}/remove`)} token={token}>
            <button class="danger">{passkeys.remove}</button>
          </Form>
        </section>
      </div>
    </>
  );
  return context.page({ title: name ?? passkeys.title, children });
};
