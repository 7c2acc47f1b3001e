import type { ComponentChildren } from "preact";
import { useLayoutEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  /** Called when the dialog was closed, also by the Escape key. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A question that has to be answered before anything else. Rendering opens it; on closing, the focus returns to its earlier place. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} class="card" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
