import type { Result } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Form } from "../parts/form/form.tsx";
import { FormButtons } from "../parts/form/form.buttons.tsx";
import { PasswordField } from "../parts/form/password.field.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useWaiting } from "../acts/waiting.ts";

interface PasswordFormProps {
  readonly id: string;
  readonly submit: string;
  readonly send: (password: string) => Promise<Result>;
  readonly onCancel?: (() => void) | undefined;
}

/** Asks for the password once more. */
export function PasswordForm({ id, submit, send, onCancel }: PasswordFormProps) {
  const { password } = useAccount().words.value.account;
  const form = useForm({
    id,
    fields: [{ name: "current_password", label: password.current }],
    blame: { invalid_credentials: "current_password" },
    send: (valueOf) => send(valueOf("current_password")),
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <PasswordField
        form={form}
        name="current_password"
        label={password.current}
        autocomplete="current-password"
        isFirst
      />
      <FormButtons form={form} label={submit} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}
