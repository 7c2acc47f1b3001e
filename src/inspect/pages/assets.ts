import { script } from "./script.ts";
import { style } from "./style.ts";

/** Everything comes from this host: no inline style, script or handler, nothing from elsewhere, no frame around it. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const versionOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 12);

export const assets = [
  { path: "/lighthouse/assets/style.css", type: "text/css; charset=utf-8", body: style },
  { path: "/lighthouse/assets/script.js", type: "text/javascript; charset=utf-8", body: script },
] as const;

/** With a version, so that a new release is not shown with the style of the old one. */
export const assetPaths = {
  style: `/lighthouse/assets/style.css?v=${versionOf(style)}`,
  script: `/lighthouse/assets/script.js?v=${versionOf(script)}`,
} as const;
