import type { Result } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { CodeField } from "../parts/fields.tsx";
import { InnerForm } from "../parts/form.tsx";

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
  return (
    <InnerForm form={form} submit={submit} onCancel={onCancel}>
      <CodeField form={form} name="code" isNumber={isNumber} isFirst={!isLater} />
    </InnerForm>
  );
}

/** Removes spaces and hyphens: apps and mails show the digits in groups. */
const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, "");
