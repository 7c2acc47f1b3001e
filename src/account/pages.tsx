/** @jsxImportSource #html */
import { assetFolder, scriptsOf } from "./assets.ts";
import type { Bundle } from "./bundle.ts";
import { Document, PageStyle } from "../http/pages/document.tsx";
import type { Mark } from "../http/pages/brand/brand.ts";
import type { Look } from "../http/pages/brand/look.ts";
import { Product } from "../http/pages/parts/product.tsx";
import type { Html } from "../http/pages/jsx-runtime.ts";
import { isPersonal, type Path, type Settings } from "./shared/settings.ts";
import { titleOf, type Words } from "./shared/words.ts";
import type { Speech } from "./speeches.ts";

interface ShellOptions {
  readonly path: Path;
  readonly language: string;
  readonly words: Pick<Words, "titles" | "noScript">;
  readonly speech: Speech;
  readonly settings: Settings;
  readonly mark: Mark;
  readonly look: Look;
  readonly bundle: Bundle;
}

/**
 * The page that the browser's part fills. It is the same for everybody, and does not move: the frame is there, and the content takes its
 * place.
 */
export function shell({ path, language, words, speech, settings, mark, look, bundle }: ShellOptions): Html {
  const { base } = settings;
  const { main, loads } = scriptsOf(bundle, path, speech, settings);
  const hrefOf = (file: string): string => `${base}${assetFolder}/${file}`;
  const isAccount = isPersonal(path);
  const brand = <Product mark={mark} />;
  return (
    <Document
      language={language}
      title={`${titleOf(path, words)} · ${mark.product}`}
      icon={mark.icon}
      style={<PageStyle href={hrefOf(bundle.style)} look={look} />}
      schemes={look.schemes}
      module={{ href: hrefOf(main), loads: loads.map(hrefOf) }}
    >
      <div id="app" data-settings={JSON.stringify(settings)}>
        {isAccount && <header class="page-head account-head">{brand}</header>}
        <main class={isAccount ? "account" : "entry"} aria-busy="true">
          {!isAccount && brand}
          <div class="card skeleton" />
          <noscript>
            <p class="notice warning">{words.noScript}</p>
          </noscript>
        </main>
      </div>
    </Document>
  );
}

export interface Signpost {
  readonly path: string;
  readonly label: string;
  readonly about: string;
}

interface StartPageOptions {
  readonly settings: Settings;
  readonly icon: string;
  readonly look: Look;
  readonly bundle: Bundle;
  readonly signposts: readonly Signpost[];
}

/** The page that a developer finds at `/` on a local machine, with links to everything. */
export const startPage = ({ settings: { product, base }, icon, look, bundle, signposts }: StartPageOptions): Html => (
  <Document
    title={product}
    icon={icon}
    style={<PageStyle href={`${base}${assetFolder}/${bundle.style}`} look={look} />}
    schemes={look.schemes}
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
