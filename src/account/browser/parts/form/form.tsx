import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useWords } from "../../context.ts";
import type { FormState } from "../../form.ts";

interface FormProps<Name extends string> {
  readonly state: FormState<Name>;
  readonly children: ComponentChildren;
}

/**
 * A form that the script sends. Without the script, its method would keep the typed text out of an address, and the page's policy would not
 * let the form go.
 */
export const Form = <Name extends string>({ state, children }: FormProps<Name>) => (
  <form ref={state.ref} method="post" noValidate onSubmit={state.onSubmit} aria-busy={state.isBusy.value}>
    {children}
    {state.isBusy.value && <Slow />}
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
