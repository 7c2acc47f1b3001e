import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from "preact";
import type { FormState } from "../../form.ts";

export interface FieldProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly label: string;
  readonly type?: "text" | "email";
  /** The name of the field for password managers (HTML, "Autofill"). */
  readonly autocomplete: NonNullable<InputHTMLAttributes["autocomplete"]>;
  readonly hint?: ComponentChildren;
  readonly value?: string;
  readonly maxLength?: number;
  /** Takes the focus when the page is shown. */
  readonly isFirst?: boolean;
  readonly isOptional?: boolean;
  readonly onInput?: (value: string) => void;
}

/** A field with its label above, and its hint or error in one place below. */
export function Field<Name extends string>(props: FieldProps<Name>) {
  const { form, name, label, hint, type = "text", autocomplete, value, maxLength = 320, isOptional = false } = props;
  const input = {
    ...inputOf(props),
    autocomplete,
    defaultValue: value,
    maxLength,
    autocapitalize: autocomplete === "name" ? "words" : "none",
    // A name begins at the side where its script begins.
    dir: autocomplete === "name" ? "auto" : undefined,
    required: !isOptional,
  } as const;
  return (
    <div class="field">
      <label for={form.idOf(name)}>{label}</label>
      {type === "email" ? <input type="email" {...input} /> : <input type="text" {...input} />}
      <Below form={form} name={name} hint={hint} />
    </div>
  );
}

interface BelowProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly hint: ComponentChildren;
}

/** Returns the attributes of every text input. */
export function inputOf<Name extends string>(
  field: Pick<FieldProps<Name>, "form" | "name" | "hint" | "isFirst" | "onInput">,
) {
  const { form, name, hint, isFirst, onInput } = field;
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
export function describedBy<Name extends string>(form: FormState<Name>, name: Name, hint: ComponentChildren) {
  const isWrong = form.errorOf(name) !== undefined;
  return {
    "aria-describedby": isWrong || hint !== undefined ? `${form.idOf(name)}-below` : undefined,
    "aria-invalid": isWrong ? true : undefined,
  };
}

/** Shows the fault of a field, or otherwise its hint. The element stays, so that a screen reader reads every change. */
export function Below<Name extends string>({ form, name, hint }: BelowProps<Name>) {
  const error = form.errorOf(name);
  return (
    <p id={`${form.idOf(name)}-below`} class={error === undefined ? "hint" : "error"} aria-live="polite">
      {error ?? hint}
    </p>
  );
}
