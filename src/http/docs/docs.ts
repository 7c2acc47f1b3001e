import { Elysia, type AnyElysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import type { DescribedRoute } from "../../core/module.ts";
import { lazily } from "../../core/pace/lazily.ts";
import { hidden } from "./operation.ts";
import { createDocument, type DocumentOptions } from "./document.ts";
import type { Brand } from "../pages/brand/brand.ts";
import { libraryPaths, ownAssets, referencePolicy, writeReference } from "./page/page.tsx";
import { assetRoutes } from "../pages/style/assets.ts";

interface DocsOptions {
  readonly app: string;
  readonly version: string;
  readonly brand: Pick<Brand, "mark" | "look">;
  /** The ways to be signed in; the `security` of a route refers to them by name. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
  readonly settings?: DocumentOptions["settings"];
  /** Routes that the document describes although they are not mounted. */
  readonly described?: () => readonly DescribedRoute[];
}

/** Whether a path belongs to Lighthouse, which has a document of its own for operators (see inspect/lighthouse/api.ts). */
const isOfLighthouse = (path: string): boolean => path.startsWith("/lighthouse/");

const hour = "public, max-age=3600";

const asset = (body: Bun.BunFile, type: string): Response =>
  new Response(body, { headers: { "content-type": type, "cache-control": hour } });

/** Returns a function that makes the document on its first call: a start should not pay for it, and all routes have to be there. */
export function documentOnce(options: () => DocumentOptions): () => object {
  let document: object | undefined;
  return () => (document ??= createDocument(options()));
}

/**
 * Adds `/openapi/json`, and at `/openapi` a page to read the document with. Everything comes from the binary and nothing from another host.
 */
export const docsRoutes =
  ({ app, version, brand, securitySchemes = {}, settings = {}, described = () => [] }: DocsOptions) =>
  (root: AnyElysia) => {
    const title = `Gatehouse: ${app}`;
    const reference = { title, version, brand };
    const written = lazily(() => ({ page: writeReference(reference), policy: referencePolicy(reference) }));
    const document = documentOnce(() => ({
      title,
      description:
        "Accounts, sessions and sign-in. Every answer in JSON has `ok`; of a refusal `code` is for programs. Texts are taken without the spaces around them and in Unicode form C. Fields that a body does not have are ignored, or refused where its schema says so. What is no HTTP request is answered with an empty 400 or 431, which has no headers of this service.",
      version,
      routes: [...root.routes, ...described()].filter(({ path }) => !isOfLighthouse(path)),
      securitySchemes,
      settings,
    }));

    return root.use(
      new Elysia({ name: "http/docs" })
        .get("/openapi/json", () => document(), hidden)
        .get(
          "/openapi",
          () => {
            const { page, policy } = written();
            return new Response(page, {
              headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
            });
          },
          hidden,
        )
        .get(libraryPaths.script, () => asset(Bun.file(script), "text/javascript; charset=utf-8"), hidden)
        .get(libraryPaths.style, () => asset(Bun.file(style), "text/css; charset=utf-8"), hidden)
        .use(assetRoutes("http/docs/page", ownAssets)),
    );
  };
