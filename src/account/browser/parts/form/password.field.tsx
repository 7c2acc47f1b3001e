import { useSignal } from "@preact/signals";
import { useWords } from "../../context.ts";
import { Below, inputOf, type FieldProps } from "./field.tsx";

interface PasswordFieldProps<Name extends string> extends Omit<FieldProps<Name>, "type" | "autocomplete"> {
  readonly autocomplete: "current-password" | "new-password";
}

/** A field for a password, which the reader can make visible. */
export function PasswordField<Name extends string>(props: PasswordFieldProps<Name>) {
  const { form, name, label, hint, autocomplete } = props;
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
