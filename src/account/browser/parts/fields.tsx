import { useSignal } from "@preact/signals";
import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PasswordOwner } from "../../../core/people/password.rules.ts";
import { useAccount, useWords } from "../context.ts";
import type { FormField, FormState } from "../form.ts";
import { guide } from "./password.guidance.ts";

interface NamedProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly hint?: ComponentChildren;
}

interface InputProps<Name extends string> extends NamedProps<Name> {
  /** Takes the focus when the page is shown. */
  readonly isFirst?: boolean;
  readonly onInput?: (value: string) => void;
}

/** A field with its label above, and its hint or error in one place below. The element stays, so that a screen reader reads every change. */
function Labelled<Name extends string>({
  form,
  name,
  hint,
  children,
}: NamedProps<Name> & { children: ComponentChildren }) {
  const error = form.errorOf(name);
  return (
    <div class="field">
      <label for={form.idOf(name)}>{form.fieldOf(name)?.label}</label>
      {children}
      <p id={`${form.idOf(name)}-below`} class={error === undefined ? "hint" : "error"} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}

/** Returns the attributes of every text input. */
function inputOf<Name extends string>({ form, name, hint, isFirst, onInput }: InputProps<Name>) {
  return {
    id: form.idOf(name),
    name,
    spellcheck: false,
    // The word has to be an attribute: as a property, which is a boolean, it would switch correction on.
    autoCorrect: "off",
    "data-first": isFirst === true ? true : undefined,
    onInput(event: TargetedInputEvent<HTMLInputElement>): void {
      form.edited(name);
      onInput?.(event.currentTarget.value);
    },
    ...describedBy(form, name, hint),
  } as const;
}

/** Returns the attributes that tie a field to the words below it. */
function describedBy<Name extends string>(form: FormState<Name>, name: Name, hint: ComponentChildren) {
  const isWrong = form.errorOf(name) !== undefined;
  return {
    "aria-describedby": isWrong || hint !== undefined ? `${form.idOf(name)}-below` : undefined,
    "aria-invalid": isWrong ? true : undefined,
  };
}

interface FieldProps<Name extends string> extends InputProps<Name> {
  readonly type?: "text" | "email";
  /** The name of the field for password managers (HTML, "Autofill"). */
  readonly autocomplete: NonNullable<InputHTMLAttributes["autocomplete"]>;
  readonly value?: string;
  readonly maxLength?: number;
}

/** A field for a line of text. */
export function Field<Name extends string>(props: FieldProps<Name>) {
  const { form, name, type = "text", autocomplete, value, maxLength = 320 } = props;
  const input = {
    ...inputOf(props),
    autocomplete,
    defaultValue: value,
    maxLength,
    autocapitalize: autocomplete === "name" ? "words" : "none",
    required: form.fieldOf(name)?.isOptional !== true,
  } as const;
  return (
    <Labelled {...props}>
      {type === "email" ? <input type="email" {...input} /> : <input type="text" {...input} />}
    </Labelled>
  );
}

/** A field for a password, which the reader can make visible. */
export function PasswordField<Name extends string>(
  props: InputProps<Name> & { readonly autocomplete?: "current-password" | "new-password" },
) {
  const { form, name, autocomplete = "current-password" } = props;
  const words = useWords().password;
  const isShown = useSignal(false);
  const input = {
    ...inputOf(props),
    autocomplete,
    maxLength: 4096,
    autocapitalize: "none",
    required: true,
  } as const;
  return (
    <Labelled {...props}>
      <div class="beside">
        {isShown.value ? <input type="text" {...input} /> : <input type="password" {...input} />}
        <button
          type="button"
          class="reveal"
          aria-label={isShown.value ? words.hideLabel : words.showLabel}
          aria-controls={form.idOf(name)}
          onClick={() => void (isShown.value = !isShown.value)}
        >
          {isShown.value ? words.hide : words.show}
        </button>
      </div>
    </Labelled>
  );
}

/** Describes a field for a new password to its form. The password must not repeat its owner's name or address. */
export function useNewPassword<Name extends string>(name: Name, label: string, owner: PasswordOwner): FormField<Name> {
  const { settings, words } = useAccount();
  return {
    name,
    label,
    judge(value) {
      const { isGood, text } = guide(value, owner, settings.password, words.value);
      return isGood ? undefined : text;
    },
  };
}

/** A field for a new password, with the server's judgement in advance. */
export function NewPasswordField<Name extends string>({
  owner,
  ...field
}: InputProps<Name> & { readonly owner: PasswordOwner }) {
  const { settings, words } = useAccount();
  const typed = useSignal("");
  const { text, isGood } = guide(typed.value, owner, settings.password, words.value);
  return (
    <PasswordField
      {...field}
      autocomplete="new-password"
      hint={isGood ? <span class="good">{text}</span> : text}
      onInput={(value) => void (typed.value = value)}
    />
  );
}

/** Tells a password manager by a hidden name whose password to keep. */
export const KeptUnder = ({ email }: { readonly email: string }) => (
  <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
);

/**
 * A field for a code that is read elsewhere and typed here. A wrong code stays selected, so that the next one replaces it. `isNumber`: the
 * code has digits alone, so that a phone shows a number pad.
 */
export function CodeField<Name extends string>({
  isNumber,
  ...props
}: InputProps<Name> & { readonly isNumber: boolean }) {
  const ref = useRef<HTMLInputElement>(null);
  const error = props.form.errorOf(props.name);
  useLayoutEffect(() => {
    if (error !== undefined) ref.current?.select();
  }, [error]);
  return (
    <Labelled {...props}>
      <input
        {...inputOf(props)}
        ref={ref}
        type="text"
        class="code"
        autocomplete={isNumber ? "one-time-code" : "off"}
        inputMode={isNumber ? "numeric" : "text"}
        autocapitalize="none"
        maxLength={64}
        required
      />
    </Labelled>
  );
}

interface SelectProps<Name extends string> extends NamedProps<Name> {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of one among several, in the browser's own style. */
export const Select = <Name extends string>({ form, name, hint, value, options }: SelectProps<Name>) => (
  <Labelled form={form} name={name} hint={hint}>
    <select id={form.idOf(name)} name={name} onChange={() => form.edited(name)} {...describedBy(form, name, hint)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  </Labelled>
);

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
}

export const Check = ({ name, label, isChecked }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={isChecked} />
    {label}
  </label>
);
