import { Elysia, type AnyElysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import type { DescribedRoute } from "../../core/module.ts";
import { hidden } from "./operation.ts";
import { page, policy, starter } from "./docs.page.ts";
import { createDocument, type DocumentOptions } from "./document.ts";

interface DocsOptions {
  readonly app: string;
  readonly version: string;
  /** The ways to be signed in that the `security` of a route refers to by name. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
  /** Routes that are not mounted, and described all the same. */
  readonly described?: () => readonly DescribedRoute[];
}

/** Operators read about these in a document of their own (see inspect/lighthouse/api.ts). */
const isOfLighthouse = (path: string): boolean => path.startsWith("/lighthouse/");

const hour = "public, max-age=3600";

const asset = (body: string | Bun.BunFile, type: string): Response =>
  new Response(body, { headers: { "content-type": type, "cache-control": hour } });

/** The document, made when it is first asked for: a start should not pay for it, and every route has to be there. */
export function documentOnce(options: () => DocumentOptions): () => object {
  let document: object | undefined;
  return () => (document ??= createDocument(options()));
}

/**
 * `/openapi/json`, and at `/openapi` a page to read it with. Everything comes from the binary, nothing from another
 * host.
 */
export const docsRoutes =
  ({ app, version, securitySchemes = {}, described = () => [] }: DocsOptions) =>
  (root: AnyElysia) => {
    const document = documentOnce(() => ({
      title: `Gatehouse: ${app}`,
      description:
        "Accounts, sessions and sign-in. Every answer in JSON has `ok`; of a refusal `code` is for programs.",
      version,
      routes: [...root.routes, ...described()].filter(({ path }) => !isOfLighthouse(path)),
      securitySchemes,
    }));

    return root.use(
      new Elysia({ name: "http/docs" })
        .get("/openapi/json", () => document(), hidden)
        .get(
          "/openapi",
          () =>
            new Response(page, {
              headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
            }),
          hidden,
        )
        .get("/openapi/start.js", () => asset(starter, "text/javascript; charset=utf-8"), hidden)
        .get("/openapi/swagger-ui.js", () => asset(Bun.file(script), "text/javascript; charset=utf-8"), hidden)
        .get("/openapi/swagger-ui.css", () => asset(Bun.file(style), "text/css; charset=utf-8"), hidden),
    );
  };
