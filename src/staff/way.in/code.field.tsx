/** @jsxImportSource #html */
import { Field } from "../../http/pages/parts/form.tsx";

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
