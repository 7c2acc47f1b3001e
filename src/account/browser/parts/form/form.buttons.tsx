import { useWords } from "../../context.ts";
import type { FormState } from "../../form.ts";
import type { Waiting } from "../../acts/waiting.ts";
import { Button } from "../button.tsx";

interface FormButtonsProps<Name extends string> {
  readonly form: FormState<Name>;
  /** The act of the form, as a verb. */
  readonly label: string;
  readonly kind?: "primary" | "danger";
  readonly waiting?: Waiting | undefined;
  readonly cancel?: string;
  /** Present where the form can be closed. */
  readonly onCancel?: (() => void) | undefined;
}

/** The buttons of a form that was opened: one sends it, one closes it. */
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
