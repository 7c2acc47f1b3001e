import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Replaces a part that had the focus. Its beginning takes the focus, so that a screen reader reads it and it comes into view. */
export function Arriving({ children }: { readonly children: ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.querySelector<HTMLElement>("[tabindex='-1']")?.focus(), []);
  return (
    <div ref={ref} class="arriving">
      {children}
    </div>
  );
}
