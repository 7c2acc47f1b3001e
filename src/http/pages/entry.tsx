/** @jsxImportSource #html */
import type { Mark } from "./brand/brand.ts";
import { Product } from "./parts/product.tsx";
import { Document } from "./document.tsx";
import type { Children, Html } from "./jsx-runtime.ts";

interface EntryProps {
  readonly language: string;
  readonly title: string;
  readonly subtitle?: Children;
  readonly style: Html;
  readonly schemes: string;
  readonly script?: string | undefined;
  readonly mark: Mark;
  /** Stands above all else. */
  readonly above?: Children;
  readonly children: Children;
}

/** A page with one thing to do, for strangers: the product, and a card. */
export const Entry = ({ language, title, subtitle, style, schemes, script, mark, above, children }: EntryProps) => (
  <Document
    language={language}
    title={`${title} · ${mark.product}`}
    icon={mark.icon}
    style={style}
    schemes={schemes}
    script={script}
  >
    {above}
    <main class="entry" id="main">
      <Product mark={mark} />
      <div class="card sign-in">
        <hgroup>
          <h1>{title}</h1>
          {subtitle !== undefined && <p class="soft">{subtitle}</p>}
        </hgroup>
        {children}
      </div>
    </main>
  </Document>
);
