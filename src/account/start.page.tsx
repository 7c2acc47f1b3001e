/** @jsxImportSource #html */
import { assetFolder } from "./assets.ts";
import type { Bundle } from "./bundle.ts";
import { Document } from "../http/pages/document.tsx";
import { PageStyle } from "../http/pages/style/page.style.tsx";
import type { Html } from "../http/pages/jsx-runtime.ts";
import type { Settings } from "./shared/settings.ts";

export interface Signpost {
  readonly path: string;
  readonly label: string;
  readonly about: string;
}

interface StartPageOptions {
  readonly settings: Settings;
  readonly brandStyle: string;
  readonly bundle: Bundle;
  readonly signposts: readonly Signpost[];
}

/** The page that a developer finds at `/` on a local machine, with links to everything. */
export const startPage = ({ settings: { product, base }, brandStyle, bundle, signposts }: StartPageOptions): Html => (
  <Document
    title={product}
    style={<PageStyle href={`${base}${assetFolder}/${bundle.style}`} brandStyle={brandStyle} />}
  >
    <main class="entry">
      <p class="product">{product}</p>
      <div class="card sign-in">
        <h1>It runs.</h1>
        <p class="soft">
          This page is here because <code>APP_ENV</code> is local. Elsewhere this address leads to the sign-in.
        </p>
        <ul class="signposts">
          {signposts.map(({ path, label, about }) => (
            <li key={path}>
              <a href={`${base}${path}`}>{label}</a>
              <p class="soft">{about}</p>
            </li>
          ))}
        </ul>
      </div>
    </main>
  </Document>
);
