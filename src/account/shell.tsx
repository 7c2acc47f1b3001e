/** @jsxImportSource #html */
import { assetFolder, scriptsOf } from "./assets.ts";
import type { Bundle } from "./bundle.ts";
import { Document } from "../http/pages/document.tsx";
import { PageStyle } from "../http/pages/style/page.style.tsx";
import type { Html } from "../http/pages/jsx-runtime.ts";
import type { Path, Settings } from "./shared/settings.ts";
import { languages, type Language } from "./shared/words/index.ts";

interface ShellOptions {
  readonly path: Path;
  readonly language: Language;
  readonly settings: Settings;
  /** A style sheet that comes after the tokens; empty where the accent is our own. */
  readonly brandStyle: string;
  readonly bundle: Bundle;
}

/**
 * The page that the browser's part fills. It is the same for everybody, and does not move: the frame is there, and the content takes its
 * place.
 */
export function shell({ path, language, settings, brandStyle, bundle }: ShellOptions): Html {
  const words = languages[language];
  const { base, product, logo } = settings;
  const [main, page] = scriptsOf(bundle, path, language);
  const hrefOf = (file: string): string => `${base}${assetFolder}/${file}`;
  const isAccount = path === "/account";
  const brand = (
    <p class="product">
      {logo !== undefined && <img src={logo} alt="" height="40" />}
      {product}
    </p>
  );
  return (
    <Document
      language={language}
      title={`${words.titles[path]} · ${product}`}
      style={<PageStyle href={hrefOf(bundle.style)} brandStyle={brandStyle} />}
      module={{ href: hrefOf(main), loads: hrefOf(page) }}
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
