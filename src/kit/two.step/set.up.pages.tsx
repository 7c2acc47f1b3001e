/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import { inlineSvg } from "../../http/pages/jsx-runtime.ts";
import type { PersonContext } from "../frame/context.ts";
import { CardPage } from "../frame/parts.tsx";
import { CodeField, PasskeyForm } from "../proof/factor.forms.tsx";

interface AppProps {
  readonly context: PersonContext;
  /** The secret in base32. The form sends it back, so that a mistyped code costs neither the set-up nor the QR code. */
  readonly secret: string;
  readonly qrSvg?: string;
  readonly refusal?: AppError;
}

const inFours = (secret: string): string => secret.replace(/.{4}(?=.)/g, "$& ");

/** Shows the secret for an authenticator app, and asks for the app's first code. */
export const AppPage = ({ context, secret, qrSvg, refusal }: AppProps) => {
  const { twoStepPath: path, speech } = context;
  const { ways, section } = speech.words.factors;
  const { app } = section;
  return (
    <CardPage context={context} title={app.setUpOf} cancel={path}>
      {qrSvg !== undefined && (
        <>
          <p>{app.scan}</p>
          <div class="qr">{inlineSvg(qrSvg)}</div>
        </>
      )}
      <p>
        {app.typed}{" "}
        <code class="key" dir="ltr">
          {inFours(secret)}
        </code>
      </p>
      <Form action={context.href(`${path}/app/confirm`)} token={context.token}>
        <Hidden fields={[["secret", secret]]} />
        <CodeField
          method="totp"
          label={app.label}
          error={refusal && (refusal.reason === "invalid_code" ? ways.totp.wrong : ways.totp.incomplete)}
        />
        <button class="primary">{app.submit}</button>
      </Form>
    </CardPage>
  );
};

/** Shows new recovery codes, this one time. */
export const CodesPage = ({ context, list }: { readonly context: PersonContext; readonly list: readonly string[] }) => {
  const { codes } = context.speech.words.factors.section;
  return (
    <CardPage context={context} title={codes.save}>
      <p>{codes.lead}</p>
      <ul class="codes" dir="ltr">
        {list.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <a class="button primary" href={context.href(context.twoStepPath)}>
        {codes.done}
      </a>
    </CardPage>
  );
};

/** Has the browser make a passkey. */
export const NewPasskeyPage = ({
  context,
  options,
}: {
  readonly context: PersonContext;
  readonly options: unknown;
}) => {
  const { twoStepPath: path, speech } = context;
  const { refusals, factors } = speech.words;
  const { passkeys } = factors.section;
  return (
    <CardPage context={context} title={passkeys.add} subtitle={passkeys.about} cancel={path}>
      <PasskeyForm
        action={context.href(`${path}/passkeys/add`)}
        token={context.token}
        ask="create"
        options={options}
        label={passkeys.add}
        isPrimary
        words={{ cancelled: refusals.passkey_cancelled, unsupported: passkeys.unsupported }}
      >
        <Field
          name="name"
          label={passkeys.name}
          type="text"
          autocomplete="off"
          maxLength={64}
          isOptional
          hint={speech.kit.twoStep.nameHint}
        />
      </PasskeyForm>
    </CardPage>
  );
};
