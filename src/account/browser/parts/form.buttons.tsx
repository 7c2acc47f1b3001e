import { useWords } from "../context.ts";
import type { FormState } from "../form.ts";
import type { Waiting } from "../waiting.ts";
import { Button } from "./button.tsx";

interface FormButtonsProps<Name extends string> {
  readonly form: FormState<Name>;
  /** What the form does, as a verb. */
  readonly label: string;
  readonly kind?: "primary" | "danger";
  readonly waiting?: Waiting | undefined;
  readonly cancel?: string;
  /** Where there is something to go back to. */
  readonly onCancel?: (() => void) | undefined;
}

/** What ends a form that was opened: it does what it is for, or nothing. */
export function FormButtons<Name extends string>(props: FormButtonsProps<Name>) {
  const { form, label, kind = "primary", waiting, onCancel } = props;
  const { account } = useWords();
  return (
    <div class="buttons">
      <Button kind={kind} isBusy={form.isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0}>
        {label}
      </Button>
      {onCancel && <Button onClick={onCancel}>{props.cancel ?? account.cancel}</Button>}
    </div>
  );
}
