import type { FormState } from "../../form.ts";
import { Below, describedBy } from "./field.tsx";

interface SelectProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of one among several, in the browser's own style. */
export const Select = <Name extends string>({ form, name, label, hint, value, options }: SelectProps<Name>) => (
  <div class="field">
    <label for={form.idOf(name)}>{label}</label>
    <select id={form.idOf(name)} name={name} onChange={() => form.edited(name)} {...describedBy(form, name, hint)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
    <Below form={form} name={name} hint={hint} />
  </div>
);
