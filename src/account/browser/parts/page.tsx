import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useAccount, useWords } from "../context.ts";

interface PageProps {
  readonly title: string;
  /** Default: a page with one thing to do, a card in the middle. */
  readonly kind?: "account";
  /** Continues the title in smaller letters. */
  readonly subtitle?: ComponentChildren;
  /** Stands at the top, opposite the product. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of every page: a title, the product, and the focus at the beginning. */
export function Page({ title, kind, subtitle, aside, children }: PageProps) {
  const { settings } = useAccount();
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => void (document.title = `${title} · ${settings.product}`), [title]);
  useLayoutEffect(() => {
    const first = ref.current?.querySelector<HTMLElement>("[data-first]") ?? ref.current?.querySelector("h1");
    first?.focus({ preventScroll: true });
  }, []);
  if (kind === "account")
    return (
      <>
        <header class="page-head account-head">
          <Product />
          {aside}
        </header>
        <main ref={ref} class="account" id="main" tabIndex={-1}>
          <h1 tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {children}
        </main>
      </>
    );
  return (
    <main ref={ref} class="entry" id="main" tabIndex={-1}>
      <Product />
      <div class="card sign-in">
        <hgroup>
          <h1 tabIndex={-1}>{title}</h1>
          {subtitle !== undefined && <p class="soft">{subtitle}</p>}
        </hgroup>
        {children}
      </div>
    </main>
  );
}

function Product() {
  const { home, logo, product } = useAccount().settings;
  return (
    <p class="product">
      <a href={home}>
        {logo && (
          <picture>
            {logo.dark && <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />}
            <img src={logo.href} alt={logo.hasName ? product : ""} height={40} />
          </picture>
        )}
        {!logo?.hasName && product}
      </a>
    </p>
  );
}

interface LeadOnProps {
  /** Default: the link does not work any more. */
  readonly title?: string;
  /** Says what is the case, and what to do. */
  readonly reason: string;
  /** The way on, which every such page has. */
  readonly way: { readonly href: string; readonly label: string };
}

/** A page that says why there is nothing to do here, such as for a mailed link that was used, and leads on. */
export const LeadOn = ({ title = useWords().link.title, reason, way }: LeadOnProps) => (
  <Page title={title}>
    <p>{reason}</p>
    <a class="button primary" href={way.href}>
      {way.label}
    </a>
  </Page>
);

/** The page for a mailed link without its token: part of it was not copied, or the mail program broke it. */
export function BrokenLink({ way }: Pick<LeadOnProps, "way">) {
  const { link } = useWords();
  return <LeadOn title={link.incompleteTitle} reason={link.incomplete} way={way} />;
}
