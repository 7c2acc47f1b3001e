/** @jsxImportSource #html */
import { styleTokens } from "../http/pages/assets.ts";
import { Document, writeDocument } from "../http/pages/document.tsx";
import { inlineStyle } from "../http/pages/jsx-runtime.ts";
import { hashSource, pagePolicy } from "../http/pages/policy.ts";
import style from "./style.css" with { type: "text" };

const sheet = `${styleTokens}${style}`;

/** Allows this one style sheet and an empty icon, so that nothing is loaded from anywhere. */
const policy = pagePolicy({ style: hashSource(sheet), image: "data:" });

/** The one page that people see during maintenance. */
export const maintenancePage = (app: string): { readonly html: string; readonly policy: string } => ({
  policy,
  html: writeDocument(
    <Document title="Down for maintenance" style={inlineStyle(sheet)}>
      <main>
        <p class="app">{`Gatehouse · ${app}`}</p>
        <h1>Down for maintenance</h1>
        <p>We are working on this service, and it will be back shortly. Try again in a few minutes.</p>
      </main>
    </Document>,
  ),
});
