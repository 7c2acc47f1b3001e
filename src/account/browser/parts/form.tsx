import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { refusalInWords } from "../../shared/in.words.ts";
import type { Progress } from "../acts/sending.ts";
import { useAccount, useWords } from "../context.ts";
import type { FormState } from "../form.ts";
import { asClock, timeOfDay } from "../time.ts";
import { Notice } from "./blocks.tsx";

interface ButtonProps {
  /** `provider`: one of several equal ways, with a mark. `link`: a secondary act. */
  readonly kind?: "primary" | "danger" | "provider" | "link";
  /** The state of the button's act: while it is under way or has to wait, the button does nothing. */
  readonly progress?: Partial<Progress>;
  /** Takes the focus when the button's form is shown. */
  readonly isFirst?: boolean;
  /** The text for screen readers, where several buttons have the same words. */
  readonly label?: string;
  /** Default: sends the button's form. */
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A button with a verb as its label. While busy it keeps its width, its label and the focus. */
export function Button({ kind, progress, isFirst, label, onClick, children }: ButtonProps) {
  const isBusy = progress?.isBusy?.value ?? false;
  const isOff = isBusy || (progress?.waiting?.secondsLeft ?? 0) > 0;
  return (
    <button
      type={onClick === undefined ? "submit" : "button"}
      class={[kind, isBusy && "busy"].filter(Boolean).join(" ")}
      aria-label={label}
      data-first={isFirst === true ? true : undefined}
      aria-disabled={isOff}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

interface ButtonsProps extends Omit<ButtonProps, "label"> {
  /** Default: "Cancel". */
  readonly cancel?: string;
  /** Present where the form or the question can be closed. */
  readonly onCancel?: (() => void) | undefined;
}

/** The button of an act, and one that closes its form or question. */
export function Buttons({ cancel = useWords().acts.cancel, onCancel, ...button }: ButtonsProps) {
  return (
    <div class="buttons">
      <Button {...button} />
      {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
    </div>
  );
}

/** Says why a request was refused. Where the reader has to wait, says until when, with a countdown. */
export function Refusal({ progress }: { readonly progress: Pick<Progress, "refusal"> & Partial<Progress> }) {
  const { words: spoken, session } = useAccount();
  const words = spoken.value;
  const { refusal, waiting } = progress;
  const failure = refusal.value;
  if (failure === undefined) return null;
  if (waiting === undefined)
    return (
      <Notice kind="danger">
        {refusalInWords(words, failure.fields?.["credential"]?.code ?? failure.code, failure.error)}
      </Notice>
    );
  const { waits, tag } = words;
  if (waiting.secondsLeft === 0) return <Notice kind="good">{waits.awake}</Notice>;
  const isLocked = failure.code === "account_locked";
  const time = timeOfDay(waiting.until, tag);
  return (
    <Notice kind="warning">
      <p>
        <strong>{isLocked ? waits.locked : waits.limited}</strong>
      </p>
      <p>{isLocked && session.user.value === undefined ? waits.lockedUntil({ time }) : waits.limitedUntil({ time })}</p>
      {/* A screen reader does not read the countdown each second: the time of day above says the same. */}
      <p class="countdown" role="timer" aria-live="off">
        {waits.left({ clock: asClock(waiting.secondsLeft) })}
      </p>
    </Notice>
  );
}

interface FormProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly children: ComponentChildren;
}

/**
 * A form that the script sends. Without the script, its method would keep the typed text out of an address, and the page's policy would not
 * let the form go.
 */
const Form = <Name extends string>({ form, children }: FormProps<Name>) => (
  <form ref={form.ref} method="post" noValidate onSubmit={form.onSubmit} aria-busy={form.isBusy.value}>
    {children}
    {form.isBusy.value && <Slow />}
  </form>
);

const slowAfterMs = 5_000;

/** Says that an answer takes long, once it does. */
function Slow() {
  const words = useWords();
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => void (isSlow.value = true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return <p role="status">{isSlow.value && words.slow}</p>;
}

/** The form of a page that is there for it: the refusal stands above. */
export const PageForm = <Name extends string>({
  form,
  submit,
  children,
}: FormProps<Name> & { readonly submit: string }) => (
  <>
    <Refusal progress={form} />
    <Form form={form}>
      {children}
      <Button kind="primary" progress={form}>
        {submit}
      </Button>
    </Form>
  </>
);

interface InnerFormProps<Name extends string>
  extends FormProps<Name>, Pick<ButtonsProps, "kind" | "cancel" | "onCancel"> {
  readonly lead?: string;
  /** The act of the form, as a verb. */
  readonly submit: string;
}

/** A form that is a part of a page, and may have been opened there. */
export const InnerForm = <Name extends string>(props: InnerFormProps<Name>) => {
  const { form, lead, submit, children, kind = "primary", ...closing } = props;
  return (
    <Form form={form}>
      {lead !== undefined && <p>{lead}</p>}
      <Refusal progress={form} />
      {children}
      <Buttons {...closing} kind={kind} progress={form}>
        {submit}
      </Buttons>
    </Form>
  );
};
