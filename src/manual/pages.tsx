/** @jsxImportSource #html */
import { Document } from "../http/pages/document.tsx";
import type { Html } from "../http/pages/jsx-runtime.ts";
import { commonStyle, createAsset } from "../http/pages/style/assets.ts";
import { pagePolicy } from "../http/pages/policy.ts";

export const styleAsset = createAsset("/docs/missing.css", commonStyle);

export const missingPolicy = pagePolicy({ style: "'self'" });

/** What stands in the place of the manual until it is built. */
export const missingPage = (): Html => (
  <Document title="Documentation" style={styleAsset.href}>
    <main id="main">
      <h1>The documentation is not built yet</h1>
      <p>
        {"In the folder of the sources, "}
        <code>bun run docs</code>
        {" makes it in a few seconds. It stands in the folder "}
        <code>docs</code>
        {" beside the program then: reload this page."}
      </p>
      <p>
        {"The same chapters can be read as Markdown: MANUAL.md lists them. Every route is in the "}
        <a href="/openapi">API reference</a>.
      </p>
    </main>
  </Document>
);
