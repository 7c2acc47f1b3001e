/** @jsxImportSource #html */
import { inEnglish } from "../../frame/words.ts";
import type { AppError } from "../../../core/errors.ts";
import { Field, Form, Hidden } from "../../../http/pages/parts/form.tsx";
import { inlineSvg } from "../../../http/pages/jsx-runtime.ts";
import { twoStepPath as path, type StaffContext } from "../../frame/context.ts";
import { CardPage } from "../../frame/page.tsx";
import { CodeField, PasskeyForm } from "../factor.forms.tsx";

const { refusals } = inEnglish;
const { section, ways } = inEnglish.factors;
const { app, codes, passkeys } = section;

interface AppProps {
  readonly context: StaffContext;
  /** The secret in base32. The form sends it back, so that a mistyped code costs neither the set-up nor the QR code. */
  readonly secret: string;
  readonly qrSvg?: string;
  readonly refusal?: AppError;
}

const inFours = (secret: string): string => secret.replace(/.{4}(?=.)/g, "$& ");

/** Shows the secret for an authenticator app, and asks for the app's first code. */
export const AppPage = ({ context, secret, qrSvg, refusal }: AppProps) => (
  <CardPage context={context} title={app.setUpOf} cancel={path}>
    {qrSvg !== undefined && (
      <>
        <p>{app.scan}</p>
        <div class="qr">{inlineSvg(qrSvg)}</div>
      </>
    )}
    <p>
      {app.typed} <code class="key">{inFours(secret)}</code>
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

/** Shows new recovery codes, this one time. */
export const CodesPage = ({ context, list }: { readonly context: StaffContext; readonly list: readonly string[] }) => (
  <CardPage context={context} title={codes.save}>
    <p>{codes.lead}</p>
    <ul class="codes">
      {list.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <a class="button primary" href={context.href(path)}>
      {codes.done}
    </a>
  </CardPage>
);

/** Has the browser make a passkey. */
export const NewPasskeyPage = ({ context, options }: { readonly context: StaffContext; readonly options: unknown }) => (
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
        hint="Such as “Work laptop”. Left empty, it gets the name of where it is kept."
      />
    </PasskeyForm>
  </CardPage>
);
