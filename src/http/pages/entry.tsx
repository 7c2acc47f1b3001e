/** @jsxImportSource #html */
import { Document } from "./document.tsx";
import type { Children, Html } from "./jsx-runtime.ts";

interface EntryProps {
  readonly language: string;
  readonly title: string;
  readonly subtitle?: Children;
  readonly style: Html;
  readonly script?: string | undefined;
  readonly product: string;
  /** The address of the product's picture. */
  readonly logo?: string | undefined;
  readonly children: Children;
}

/** A page with one thing to do, for strangers: the product, and a card. */
export const Entry = ({ language, title, subtitle, style, script, product, logo, children }: EntryProps) => (
  <Document language={language} title={`${title} · ${product}`} style={style} script={script}>
    <main class="entry" id="main">
      <p class="product">
        {logo !== undefined && <img src={logo} alt="" height="40" />}
        {product}
      </p>
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
