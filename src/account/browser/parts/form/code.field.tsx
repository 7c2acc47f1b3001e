import { useLayoutEffect, useRef } from "preact/hooks";
import type { FormState } from "../../form.ts";
import { Below, inputOf } from "./field.tsx";

interface CodeFieldProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly label: string;
  /** Whether the code has digits alone, so that a phone shows a number pad. */
  readonly isNumber: boolean;
  /** Takes the focus when the field is shown. */
  readonly isFirst: boolean;
}

/** A field for a code that is read elsewhere and typed here. A wrong code stays selected, so that the next one replaces it. */
export function CodeField<Name extends string>({ form, name, label, isNumber, isFirst }: CodeFieldProps<Name>) {
  const ref = useRef<HTMLInputElement>(null);
  const error = form.errorOf(name);
  useLayoutEffect(() => {
    if (error !== undefined) ref.current?.select();
  }, [error]);
  return (
    <div class="field">
      <label for={form.idOf(name)}>{label}</label>
      <input
        {...inputOf({ form, name, hint: undefined, isFirst })}
        ref={ref}
        type="text"
        class="code"
        autocomplete={isNumber ? "one-time-code" : "off"}
        inputMode={isNumber ? "numeric" : "text"}
        autocapitalize="none"
        maxLength={64}
        required
      />
      <Below form={form} name={name} hint={undefined} />
    </div>
  );
}
