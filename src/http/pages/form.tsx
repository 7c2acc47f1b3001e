/** @jsxImportSource #html */
import { tokenField } from "./form.tokens.ts";
import type { Children } from "./jsx-runtime.ts";

interface FormProps {
  readonly action: string;
  /** Ties the form to the session of its reader. Undefined only in a form that begins a session. */
  readonly token: string | undefined;
  readonly class?: string;
  readonly children: Children;
}

/** A form that changes something: always a POST, with the token that its route asks for. */
export const Form = ({ action, token, class: name, children }: FormProps) => (
  <form class={name} method="post" action={action}>
    {token !== undefined && <input type="hidden" name={tokenField} value={token} />}
    {children}
  </form>
);

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly hint?: Children;
  /** Stands in the place of the hint, and is read out with the field. */
  readonly error?: string;
  readonly autofocus?: boolean;
}

/** A required field with its label above and its hint or error below. */
export const Field = ({ name, label, type, autocomplete, hint, error, autofocus = false }: FieldProps) => {
  const below = error ?? hint;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        autocomplete={autocomplete}
        aria-describedby={below === undefined ? undefined : `${name}-below`}
        aria-invalid={error === undefined ? undefined : "true"}
        required
        autofocus={autofocus}
      />
      {below !== undefined && (
        <p
          id={`${name}-below`}
          class={error === undefined ? "hint" : "error"}
          role={error === undefined ? undefined : "alert"}
        >
          {below}
        </p>
      )}
    </div>
  );
};
