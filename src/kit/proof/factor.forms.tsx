/** @jsxImportSource #html */
import type { Words } from "../../account/shared/words.ts";
import { Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";

interface PasskeyFormProps {
  readonly action: string;
  readonly token: string | undefined;
  /** `get` asks for a passkey that exists; `create` makes one. */
  readonly ask: "get" | "create";
  /** The options that the server wrote for the browser. */
  readonly options: unknown;
  /** Further fields that the form sends. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** Whether the passkey is also among the suggestions of a field, where the browser can do that. */
  readonly isSuggested?: boolean;
  readonly label: string;
  readonly isPrimary?: boolean;
  /** Texts for a passkey that did not come, and for a browser that can't use one. Without the second text such a browser shows nothing. */
  readonly words: { readonly cancelled: string; readonly unsupported?: string };
  readonly children?: Children;
}

/** Sends the answer of a passkey. A script asks the browser for it; without scripts the form says that it can't be used. */
export const PasskeyForm = (props: PasskeyFormProps) => {
  const { action, token, ask, options, fields = [], isSuggested = false, isPrimary = false, label, words } = props;
  return (
    <Form action={action} token={token} class="passkey">
      <Hidden fields={[...fields, ["credential", ""]]} />
      {props.children}
      <button
        class={isPrimary ? "primary" : undefined}
        data-passkey={ask}
        data-options={JSON.stringify(options)}
        data-suggested={isSuggested ? "" : undefined}
        hidden
      >
        {label}
      </button>
      <p class="error" role="alert" data-cancelled hidden>
        {words.cancelled}
      </p>
      {words.unsupported !== undefined && (
        <p class="soft" data-unsupported>
          {words.unsupported}
        </p>
      )}
    </Form>
  );
};

interface PasskeyAnswerProps extends Pick<PasskeyFormProps, "action" | "token" | "options" | "fields" | "children"> {
  readonly words: Words;
}

/** Asks for a passkey as the second step, or as a proof. */
export const PasskeyAnswer = ({ words: { factors, refusals }, ...form }: PasskeyAnswerProps) => (
  <PasskeyForm
    {...form}
    ask="get"
    label={factors.ways.passkey.name}
    isPrimary
    words={{ cancelled: refusals.passkey_cancelled, unsupported: refusals.passkey_unsupported }}
  />
);

interface CodeFieldProps {
  readonly method: "totp" | "recovery_code";
  readonly label: string;
  readonly error: string | undefined;
}

/** A field for a code of an authenticator app, which browsers and keyboards recognise, or for a recovery code, which they don't. */
export const CodeField = ({ method, label, error }: CodeFieldProps) => (
  <Field
    name="code"
    label={label}
    type="text"
    autocomplete={method === "totp" ? "one-time-code" : "off"}
    inputMode={method === "totp" ? "numeric" : undefined}
    maxLength={64}
    error={error}
    autofocus
  />
);
