/** @jsxImportSource #html */
import type { Brand } from "../../pages/brand/brand.ts";
import { Document, PageStyle, writeDocument } from "../../pages/document.tsx";
import { pagePolicy } from "../../pages/policy.ts";
import { commonStyle, createAsset } from "../../pages/style/assets.ts";
import start from "./start.script.js" with { type: "text" };
import own from "./style.css" with { type: "text" };

const style = createAsset("/openapi/style.css", `${commonStyle}${own}`);
const script = createAsset("/openapi/start.js", start);
export const ownAssets = [style, script] as const;

export const libraryPaths = { script: "/openapi/swagger-ui.js", style: "/openapi/swagger-ui.css" } as const;

export interface Reference {
  readonly title: string;
  readonly version: string;
  readonly brand: Pick<Brand, "mark" | "look">;
}

/** Scripts and styles come from files of this host alone. Swagger UI sets styles on elements by script, which needs no permission. */
export const referencePolicy = ({ brand }: Reference): string =>
  pagePolicy({ ...brand.look.sources, script: "'self'", image: "'self' data:", connect: "'self'" });

/** Writes the page around the reference, which Swagger UI draws from the document. */
export const writeReference = ({ title, version, brand }: Reference): string =>
  writeDocument(
    <Document
      title={title}
      icon={brand.mark.icon}
      schemes={brand.look.schemes}
      style={
        <>
          <link rel="stylesheet" href={libraryPaths.style} />
          <PageStyle href={style.href} look={brand.look} />
        </>
      }
    >
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="page-head">
        <p class="brand">
          <a href="/">{brand.mark.product}</a> <span class="place">API reference</span>
        </p>
      </header>
      <main id="main" tabindex={-1}>
        <h1>{title}</h1>
        <p class="soft">
          Accounts, sessions and sign-in. Every answer in JSON has <code>ok</code>; of a refusal <code>code</code> is
          for programs. What you try here is sent with the cookies of this browser: sign in by{" "}
          <code>POST /api/v1/auth/login</code>.
        </p>
        <p class="edition">
          <span class="tag">{`Version ${version}`}</span> <a href="/openapi/json">The OpenAPI document</a>
        </p>
        <h2 class="unseen">Routes</h2>
        <div id="reference" />
        <noscript>
          <p class="notice">The routes are shown by a script. The OpenAPI document above has all of them.</p>
        </noscript>
      </main>
      <script src={libraryPaths.script} defer />
      <script src={script.href} defer />
    </Document>,
  );
