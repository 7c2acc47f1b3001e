import { Elysia, type AnyElysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import type { DescribedRoute } from "../../core/module.ts";
import { hidden } from "./operation.ts";
import { createDocument, type DocumentOptions } from "./document.ts";
import { pagePolicy } from "../pages/policy.ts";

interface DocsOptions {
  readonly app: string;
  readonly version: string;
  /** The ways to be signed in; the `security` of a route refers to them by name. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
  /** Routes that the document describes although they are not mounted. */
  readonly described?: () => readonly DescribedRoute[];
}

/** Whether a path belongs to Lighthouse, which has a document of its own for operators (see inspect/lighthouse/api.ts). */
const isOfLighthouse = (path: string): boolean => path.startsWith("/lighthouse/");

const hour = "public, max-age=3600";

const asset = (body: string | Bun.BunFile, type: string): Response =>
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

/** Scripts and styles come from files of this host alone. Swagger UI sets styles on elements by script, which needs no permission. */
const policy = pagePolicy({
  script: "'self'",
  style: "'self'",
  image: "'self' data:",
  connect: "'self'",
});

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/openapi/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/openapi/swagger-ui.js"></script>
<script src="/openapi/start.js"></script>
</body>
</html>
`;

// `validatorUrl: null` keeps Swagger UI from sending the document to swagger.io for validation.
const starter = `SwaggerUIBundle({
  url: "/openapi/json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
});
`;
