import { Elysia } from "elysia";
import { contentHash } from "../../../core/crypto.ts";
import account from "./account.css" with { type: "text" };
import base from "./base.css" with { type: "text" };
import entry from "./entry.css" with { type: "text" };
import lists from "./lists.css" with { type: "text" };
import parts from "./parts.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };
import { hidden } from "../../docs/operation.ts";
import { queryOf } from "../../request/path.ts";

/** The beginning of every page's style sheet. */
export const commonStyle = `${tokens}${base}${parts}${lists}`;

/** The style of a page with one thing to do; it follows the common style. */
export { entry as entryStyle };
/** The style of the page of an account. */
export { account as accountStyle };

const types = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
} as const;

/**
 * Returns the Cache-Control of a file with a hash in its address. While releases or settings change, a page of one instance may ask another
 * instance for an earlier or later file. The answer is then the file that is there, and browsers must not keep it.
 */
export const cacheByHash = (asked: string, there: string): string =>
  asked === there ? "public, max-age=31536000, immutable" : "no-cache";

export interface Asset {
  readonly path: string;
  readonly version: string;
  /** The address for pages, with a version, so that a new release does not appear in the style of the old one. */
  readonly href: string;
  readonly type: string;
  readonly body: string;
}

export function createAsset(path: `${string}.${keyof typeof types}`, body: string): Asset {
  const version = contentHash(body).slice(0, 12);
  return { path, version, href: `${path}?v=${version}`, type: path.endsWith(".css") ? types.css : types.js, body };
}

export function assetRoutes(name: string, assets: readonly Asset[]) {
  const routes = new Elysia({ name });
  for (const { path, version, type, body } of assets)
    routes.get(
      path,
      ({ request }) => {
        const asked = queryOf(request).get("v") ?? "";
        return new Response(body, { headers: { "content-type": type, "cache-control": cacheByHash(asked, version) } });
      },
      hidden,
    );
  return routes;
}
