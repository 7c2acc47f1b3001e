import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useAccount } from "../context.ts";

interface PageProps {
  readonly title: string;
  /** A page with one thing to do is a card in the middle. */
  readonly kind: "entry" | "account";
  /** Goes on after the title, smaller. */
  readonly subtitle?: string | undefined;
  readonly children: ComponentChildren;
}

/** What all pages have: a title, the product, and the focus where the page begins. */
export function Page({ title, kind, subtitle, children }: PageProps) {
  const { settings } = useAccount();
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => void (document.title = `${title} · ${settings.product}`), [title]);
  useEffect(() => {
    const first = ref.current?.querySelector<HTMLElement>("[data-first]") ?? ref.current?.querySelector("h1");
    first?.focus({ preventScroll: true });
  }, []);
  return (
    <main ref={ref} class={kind} id="main" tabIndex={-1}>
      <p class="product">
        {settings.logo !== undefined && <img src={settings.logo} alt="" height={40} />}
        {settings.product}
      </p>
      {kind === "account" ? (
        <>
          <h1 tabIndex={-1}>{title}</h1>
          {children}
        </>
      ) : (
        <div class="card sign-in">
          <hgroup>
            <h1 tabIndex={-1}>{title}</h1>
            {subtitle !== undefined && <p class="soft">{subtitle}</p>}
          </hgroup>
          {children}
        </div>
      )}
    </main>
  );
}
