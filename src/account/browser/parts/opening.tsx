import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./form.tsx";

type Opening = ReturnType<typeof useOpening>;

/** Keeps whether a form or a question that a button opens is open. */
export function useOpening(isOpenAtFirst = false) {
  const isOpen = useSignal(isOpenAtFirst);
  return {
    isOpen,
    open: (): void => void (isOpen.value = true),
    close: (): void => void (isOpen.value = false),
  };
}

interface OpeningFormProps {
  readonly opening: Opening;
  readonly label: string;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

/** A button, and in its place the form that it opens. The focus goes to the form's first field, and afterwards back to the button. */
export function OpeningForm({ opening, label, onOpen, children }: OpeningFormProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isOpen = opening.isOpen.value;
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    ref.current?.querySelector<HTMLElement>(isOpen ? "[data-first]" : "button")?.focus();
  }, [isOpen]);
  const open = (): void => {
    opening.open();
    onOpen?.();
  };
  return (
    <div
      ref={ref}
      class={isOpen ? undefined : "opener"}
      onKeyDown={({ key }) => {
        if (key === "Escape") opening.close();
      }}
    >
      {isOpen ? children : <Button onClick={open}>{label}</Button>}
    </div>
  );
}
