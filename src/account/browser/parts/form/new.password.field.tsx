import { useSignal } from "@preact/signals";
import type { PasswordOwner } from "../../../../core/people/password.rules.ts";
import { useAccount } from "../../context.ts";
import type { FormState } from "../../form.ts";
import { guide } from "./password.guidance.ts";
import { PasswordField } from "./password.field.tsx";

interface NewPasswordFieldProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly name: Name;
  readonly label: string;
  /** The owner of the password, which must not repeat the owner's name or address. */
  readonly owner: PasswordOwner;
  readonly isFirst?: boolean;
}

/** A field for a new password, with the server's judgement in advance. */
export function NewPasswordField<Name extends string>({ owner, ...field }: NewPasswordFieldProps<Name>) {
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
