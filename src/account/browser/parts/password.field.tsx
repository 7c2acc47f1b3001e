import { useSignal } from "@preact/signals";
import type { TargetedInputEvent } from "preact";
import { useWords } from "../context.ts";
import { Below, describedBy, type FieldProps } from "./field.tsx";

interface PasswordFieldProps<Name extends string> extends Omit<FieldProps<Name>, "type" | "autocomplete"> {
  readonly autocomplete: "current-password" | "new-password";
}

/** A field for a password, which can be looked at while it is typed. */
export function PasswordField<Name extends string>(props: PasswordFieldProps<Name>) {
  const { form, name, label, hint, isFirst, autocomplete, onInput } = props;
  const words = useWords().password;
  const isShown = useSignal(false);
  const edit = (event: TargetedInputEvent<HTMLInputElement>): void => {
    form.edited(name);
    onInput?.(event.currentTarget.value);
  };
  const input = {
    id: form.idOf(name),
    name,
    autocomplete,
    maxLength: 4096,
    spellcheck: false,
    autocapitalize: "none",
    // As an attribute: as a property, which is a boolean, the word would switch it on.
    autoCorrect: "off",
    "data-first": isFirst,
    onInput: edit,
    ...describedBy(form, name, hint),
    required: true,
  } as const;
  return (
    <div class="field">
      <label for={form.idOf(name)}>{label}</label>
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
      <Below form={form} name={name} hint={hint} />
    </div>
  );
}
