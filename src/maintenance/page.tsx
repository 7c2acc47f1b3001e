/** @jsxImportSource #html */
import { styleTokens } from "../http/pages/assets.ts";
import { Document, writeDocument } from "../http/pages/document.tsx";
import { inlineStyle } from "../http/pages/jsx-runtime.ts";
import { hashSource, pagePolicy } from "../http/pages/policy.ts";
import style from "./style.css" with { type: "text" };

interface MaintenancePageOptions {
  /** Which app of which product is down. */
  readonly name: string;
  /** The operator's colours, as a sheet. */
  readonly style: string;
}

/** The one page that people see during maintenance, with the policy that allows its one style sheet and loads nothing. */
export function maintenancePage({ name, style: brandStyle }: MaintenancePageOptions) {
  const sheet = `${styleTokens}${brandStyle}${style}`;
  const policy = pagePolicy({ style: hashSource(sheet), image: "data:" });
  const html = writeDocument(
    <Document title="Down for maintenance" style={inlineStyle(sheet)}>
      <main>
        <p class="app">{name}</p>
        <h1>Down for maintenance</h1>
        <p>We are working on this service, and it will be back shortly. Try again in a few minutes.</p>
      </main>
    </Document>,
  );
  return { html, policy };
}
