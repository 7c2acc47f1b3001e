import { Elysia } from "elysia";
import { contentHash } from "../../core/crypto.ts";
import base from "./base.css" with { type: "text" };
import entry from "./entry.css" with { type: "text" };
import parts from "./parts.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };
import { hidden } from "../docs/operation.ts";

/** What the style sheet of a page begins with. */
export const commonStyle = `${tokens}${base}${parts}`;

/** For a page that stands alone and brings the little else that it needs. */
export { tokens as styleTokens };

/** For a page with one thing to do, after the common style. */
export { entry as entryStyle };

const types = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
} as const;

/**
 * How long a file may be kept that has a hash in its name. While releases or settings are changed, the page of one instance may ask
 * another one for the file of before or after: it gets the one that is there, which is then not to be kept.
 */
export const cacheByHash = (asked: string, there: string): string =>
  asked === there ? "public, max-age=31536000, immutable" : "no-cache";

export interface Asset {
  readonly path: string;
  /** Its address in a page, with a version, so that a new release is not shown with the style of the old one. */
  readonly href: string;
  readonly type: string;
  readonly body: string;
}

export function createAsset(path: `${string}.${keyof typeof types}`, body: string): Asset {
  const version = contentHash(body).slice(0, 12);
  return { path, href: `${path}?v=${version}`, type: path.endsWith(".css") ? types.css : types.js, body };
}

export function assetRoutes(name: string, assets: readonly Asset[]) {
  const routes = new Elysia({ name });
  for (const { path, type, body } of assets)
    routes.get(
      path,
      () => new Response(body, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } }),
      hidden,
    );
  return routes;
}
