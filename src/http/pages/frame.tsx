/** @jsxImportSource #html */
import { Document } from "./document.tsx";
import { Form } from "./parts/form.tsx";
import type { Children, Html } from "./jsx-runtime.ts";

interface Link {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

interface FrameProps {
  /** Default: `en`. */
  readonly language?: string;
  /** The words around the content. */
  readonly words: { readonly skip: string; readonly pages: string; readonly signOut: string };
  readonly title: string;
  /** The address of a style sheet, or elements with several style sheets. */
  readonly style: string | Html;
  /** The schemes that the page has, as `color-scheme` says them. */
  readonly schemes: string;
  readonly script: string;
  /** The address of the picture for the browser's tab; none without. */
  readonly icon?: string;
  readonly brand: {
    readonly name: string;
    readonly href: string;
    /** The app and its environment: an operator may have several open. */
    readonly place: string;
  };
  /** Undefined while nobody is signed in. */
  readonly navigation:
    | {
        readonly links: readonly Link[];
        readonly signOut: string;
        readonly token: string;
        /** The signed-in user, where the pages know the name. */
        readonly who?: { readonly name: string; readonly href: string };
      }
    | undefined;
  /** The last part of the page. */
  readonly footer?: Children;
  readonly children: Children;
}

/** A page with its header: the brand, links to other pages, and the way out. */
export const Frame = ({ words, brand, navigation, footer, children, ...document }: FrameProps) => (
  <Document {...document}>
    <a class="skip" href="#main">
      {words.skip}
    </a>
    <header class="page-head">
      <p class="brand">
        <a href={brand.href}>{brand.name}</a> <span class="place">{brand.place}</span>
      </p>
      {navigation && (
        <nav aria-label={words.pages}>
          {navigation.links.map(({ href, label, isCurrent }) => (
            <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
              {label}
            </a>
          ))}
          <div class="leave">
            {navigation.who !== undefined && (
              <a class="who" dir="auto" href={navigation.who.href} title={navigation.who.name}>
                {navigation.who.name}
              </a>
            )}
            <Form action={navigation.signOut} token={navigation.token}>
              <button>{words.signOut}</button>
            </Form>
          </div>
        </nav>
      )}
    </header>
    <main id="main" tabindex={-1}>
      {children}
    </main>
    {footer !== undefined && <footer class="page-foot">{footer}</footer>}
  </Document>
);
