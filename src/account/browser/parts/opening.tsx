import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./form.tsx";

export interface Opening {
  readonly isOpen: ReadonlySignal<boolean>;
  open(): void;
  close(): void;
}

/** Keeps whether a form that a button opens is open. */
export function useOpening(isOpenAtFirst = false): Opening {
  const isOpen = useSignal(isOpenAtFirst);
  return {
    isOpen,
    open: () => void (isOpen.value = true),
    close: () => void (isOpen.value = false),
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
      onKeyDown={({ key }) => {
        if (key === "Escape") opening.close();
      }}
    >
      {isOpen ? children : <Button onClick={open}>{label}</Button>}
    </div>
  );
}
