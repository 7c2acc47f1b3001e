/** @jsxImportSource #html */
import { tokenField } from "../form.tokens.ts";
import type { Children } from "../jsx-runtime.ts";

interface FormProps {
  readonly action: string;
  /** Ties the form to the session of its reader. Undefined only in a form that begins a session. */
  readonly token: string | undefined;
  readonly class?: string;
  readonly children: Children;
}

/** A form that changes something: always a POST, with the token that its route demands. */
export const Form = ({ action, token, class: name, children }: FormProps) => (
  <form class={name} method="post" action={action}>
    {token !== undefined && <input type="hidden" name={tokenField} value={token} />}
    {children}
  </form>
);

/** A form of one button. */
export const Act = ({ isPrimary = false, label, children, ...form }: ActProps) => (
  <Form {...form}>
    <button class={isPrimary ? "primary" : undefined} aria-label={label}>
      {children}
    </button>
  </Form>
);

interface ActProps extends FormProps {
  readonly isPrimary?: boolean;
  /** Names the act for a screen reader, where several buttons of a page say the same. */
  readonly label?: string;
}

/** The way out of a page, or to another one, below what the page is for. */
export const Aside = ({ href, children }: { readonly href: string; readonly children: Children }) => (
  <p class="aside">
    <a href={href}>{children}</a>
  </p>
);

/** Fields that are sent and not shown. */
export const Hidden = ({ fields }: { readonly fields: Iterable<readonly [name: string, value: string]> }) => (
  <>
    {[...fields].map(([name, value], index) => (
      <input key={index} type="hidden" name={name} value={value} />
    ))}
  </>
);

interface CheckProps {
  readonly name: string;
  readonly value?: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

export const Check = ({ name, value = "on", label, isChecked = false }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} value={value} checked={isChecked} />
    {label}
  </label>
);

interface CheckFieldProps {
  readonly name: string;
  readonly value: string;
  readonly error?: string | undefined;
  /** The sentence that is agreed to, which may have links. */
  readonly children: Children;
}

/** A box that has to be ticked. */
export const CheckField = ({ name, value, error, children }: CheckFieldProps) => (
  <div class="field">
    <label class="check">
      <input type="checkbox" id={name} name={name} value={value} required {...faultOf(name, error)} />
      <span>{children}</span>
    </label>
    <Fault name={name} error={error} />
  </div>
);

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  /** The option that is chosen. */
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  /** The fault of the choice, which replaces the hint; a screen reader reads it with the field. */
  readonly error?: string | undefined;
}

/** A choice of one among several, in the browser's own style. */
export const Choice = ({ name, label, value, options, hint, error }: ChoiceProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select
      id={name}
      name={name}
      {...(hint !== undefined && { "aria-describedby": `${name}-below` })}
      {...faultOf(name, error)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option} selected={option === value}>
          {words}
        </option>
      ))}
    </select>
    <Fault name={name} error={error} />
    {hint !== undefined && error === undefined && (
      <p id={`${name}-below`} class="hint">
        {hint}
      </p>
    )}
  </div>
);

/** Returns the attributes that tell a screen reader of a field's fault. */
export const faultOf = (name: string, error: string | undefined) =>
  error === undefined ? {} : { "aria-invalid": "true", "aria-describedby": `${name}-below` };

export const Fault = ({ name, error }: { readonly name: string; readonly error: string | undefined }) =>
  error === undefined ? null : (
    <p id={`${name}-below`} class="error" role="alert">
      {error}
    </p>
  );

export interface FieldProps {
  readonly name: string;
  /** Needed where a page has several fields of one name. Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly type: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly hint?: Children;
  /** Replaces the hint; a screen reader reads it with the field. */
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  /** The text that was typed before; never a password. */
  readonly value?: string | undefined;
  readonly maxLength?: number;
  readonly isOptional?: boolean;
  /** Which keys an on-screen keyboard has. */
  readonly inputMode?: "numeric" | undefined;
}

/** A field with its label above and its hint or error below. */
export const Field = ({ name, id = name, label, type, autocomplete, hint, error, ...rest }: FieldProps) => {
  const { autofocus = false, value, maxLength, isOptional = false, inputMode } = rest;
  const below = error ?? hint;
  const isName = autocomplete === "name";
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        autocomplete={autocomplete}
        autocapitalize={isName ? "words" : "none"}
        spellcheck="false"
        value={value}
        maxlength={maxLength}
        inputmode={inputMode}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        aria-invalid={error === undefined ? undefined : "true"}
        required={!isOptional}
        autofocus={autofocus}
      />
      {below !== undefined && (
        <p
          id={`${id}-below`}
          class={error === undefined ? "hint" : "error"}
          role={error === undefined ? undefined : "alert"}
        >
          {below}
        </p>
      )}
    </div>
  );
};

interface NoticeProps {
  readonly kind?: "danger" | "warning" | "good";
  readonly children: Children;
}

/** Tells the reader what has happened. A screen reader reads dangers and warnings at once, and other notices when there is a pause. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind ?? ""}`} role={kind === "danger" || kind === "warning" ? "alert" : "status"}>
    {children}
  </div>
);
