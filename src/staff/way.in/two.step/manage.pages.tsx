/** @jsxImportSource #html */
import type { StoredFactor } from "../../../auth/index.ts";
import { inEnglish } from "../../frame/words.ts";
import { Field, Form } from "../../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../../frame/confirm.page.tsx";
import { twoStepPath as path, type StaffContext } from "../../frame/context.ts";
import { StaffPage } from "../../frame/page.tsx";

const { section } = inEnglish.factors;
const { app, codes, passkeys } = section;

interface ManageProps {
  readonly context: StaffContext;
  /** Whether the account has no other factor. */
  readonly isLast: boolean;
}

export const RemoveAppPage = ({ context, isLast }: ManageProps) => (
  <ConfirmPage
    context={context}
    title={app.removeTitle}
    action={`${path}/app/remove`}
    label={app.removeOf}
    cancel={path}
  >
    {isLast && <p>{section.last}</p>}
    <p class="soft">Your app goes on showing codes until you delete its entry there, too.</p>
  </ConfirmPage>
);

export const RenewCodesPage = ({ context }: { readonly context: StaffContext }) => (
  <ConfirmPage context={context} title={codes.renewTitle} action={`${path}/codes`} label={codes.renew} cancel={path}>
    <p>{codes.renewMeans}</p>
  </ConfirmPage>
);

interface PasskeyProps extends ManageProps {
  readonly passkey: StoredFactor;
  readonly error?: string;
}

/** The page of one passkey, on which its owner renames or removes it. */
export const PasskeyPage = ({ context, passkey: { id, name }, isLast, error }: PasskeyProps) => {
  const { href, token } = context;
  return (
    <StaffPage context={context} title={name ?? passkeys.title}>
      <p class="back">
        <a href={href(path)}>Two-step sign-in</a>
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
    </StaffPage>
  );
};
