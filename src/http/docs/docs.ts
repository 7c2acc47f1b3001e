import type { toOpenAPISchema } from "@elysiajs/openapi";
import { Elysia, type AnyElysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import { page, policy, starter } from "./docs.page.ts";

interface DocsOptions {
  readonly app: string;
  readonly version: string;
  /** The ways to be signed in that the `security` of a route refers to by name. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
}

interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly body?: object };
}

type OpenAPIPaths = ReturnType<typeof toOpenAPISchema>["paths"];

const hour = "public, max-age=3600";
const hidden = { detail: { hide: true } } as const;

const asset = (body: string | Bun.BunFile, type: string): Response =>
  new Response(body, { headers: { "content-type": type, "cache-control": hour } });

const schemaOf = (body: object): object =>
  "schema" in body && typeof body.schema === "object" ? (body.schema ?? {}) : body;

/** Says that bodies are JSON: the generator does not know our parser, and leaves them without a media type. */
function describeBodies(paths: OpenAPIPaths, routes: readonly DescribedRoute[]): void {
  for (const { method, path, hooks } of routes) {
    const operations = Object.entries(paths[path.replaceAll(/:([^/]+)/g, "{$1}")] ?? {});
    const operation = operations.find(([name]) => name === method.toLowerCase())?.[1];
    if (typeof operation !== "object" || !("responses" in operation) || hooks.body === undefined) continue;
    operation.requestBody = { required: true, content: { "application/json": { schema: schemaOf(hooks.body) } } };
  }
}

/**
 * `/openapi/json`, and at `/openapi` a page to read it with. Everything comes from the binary, nothing from another
 * host. The document is made when it is first asked for, so that a start pays for neither it nor its generator.
 */
export const docsRoutes =
  ({ app, version, securitySchemes = {} }: DocsOptions) =>
  (root: AnyElysia) => {
    let document: Promise<object> | undefined;

    async function describe(): Promise<object> {
      const { toOpenAPISchema } = await import("@elysiajs/openapi");
      const { components, paths } = toOpenAPISchema(root, { paths: [/^\/openapi/] });
      describeBodies(paths, root.routes);
      return {
        openapi: "3.1.0",
        info: { title: `Gatehouse: ${app}`, version },
        servers: [{ url: "/" }],
        components: { ...components, securitySchemes },
        paths,
      };
    }

    /** The document, made once; after a failure it is tried again. */
    async function described(): Promise<object> {
      try {
        return await (document ??= describe());
      } catch (error) {
        document = undefined;
        throw error;
      }
    }

    return root.use(
      new Elysia({ name: "http/docs" })
        .get("/openapi/json", async () => described(), hidden)
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
