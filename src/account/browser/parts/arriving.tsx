import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Something that takes the place of what had the focus: its beginning gets it, so that it is read out, and comes into view. */
export function Arriving({ children }: { readonly children: ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.querySelector<HTMLElement>("[tabindex='-1']")?.focus(), []);
  return (
    <div ref={ref} class="arriving">
      {children}
    </div>
  );
}
