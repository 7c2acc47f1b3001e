import type { Result } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { CodeField } from "../parts/form/code.field.tsx";
import { Form } from "../parts/form/form.tsx";
import { FormButtons } from "../parts/form/form.buttons.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useWaiting } from "../acts/waiting.ts";

interface CodeFormProps {
  readonly id: string;
  readonly label: string;
  readonly submit: string;
  /** The text for a wrong code. */
  readonly wrong: string;
  /** Whether the code is six digits. Any other code is sent as typed. */
  readonly isNumber: boolean;
  /** Whether the reader has something else to do first: the field then does not take the focus. */
  readonly isLater?: boolean;
  readonly send: (code: string) => Promise<Result>;
  readonly onCancel?: (() => void) | undefined;
}

/** Asks for a code that a person reads elsewhere. */
export function CodeForm({ id, label, submit, wrong, isNumber, isLater = false, send, onCancel }: CodeFormProps) {
  const { ways } = useAccount().words.value.factors;
  const form = useForm({
    id,
    fields: [
      {
        name: "code",
        label,
        judge: (value) => (isNumber && !/^\d{6}$/.test(digitsOf(value)) ? ways.totp.incomplete : undefined),
        says: { invalid_code: wrong },
      },
    ],
    blame: { invalid_code: "code" },
    send: (valueOf) => send(isNumber ? digitsOf(valueOf("code")) : valueOf("code").trim()),
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <CodeField form={form} name="code" label={label} isNumber={isNumber} isFirst={!isLater} />
      <FormButtons form={form} label={submit} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}

/** Removes spaces and hyphens: apps and mails show the digits in groups. */
const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, "");
