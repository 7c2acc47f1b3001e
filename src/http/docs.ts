import { Elysia, type AnyElysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import { page, pagePolicy, starter } from "./docs.page.ts";

interface DocsOptions {
  readonly app: string;
  readonly version: string;
}

const hour = "public, max-age=3600";
const hidden = { detail: { hide: true } } as const;

const asset = (body: string | Bun.BunFile, type: string): Response =>
  new Response(body, { headers: { "content-type": type, "cache-control": hour } });

/**
 * `/openapi/json`, and a reference to read it by at `/openapi`. Everything comes from the binary, nothing from another
 * host. The document is made when first asked for: a start pays for neither it nor its generator.
 */
export const docsRoutes =
  ({ app, version }: DocsOptions) =>
  (root: AnyElysia) => {
    let document: Promise<object> | undefined;

    async function describe(): Promise<object> {
      const { toOpenAPISchema } = await import("@elysiajs/openapi");
      const { components, paths } = toOpenAPISchema(root, { paths: [/^\/openapi/] });
      return {
        openapi: "3.1.0",
        info: { title: `Gatehouse: ${app}`, version },
        servers: [{ url: "/" }],
        components,
        paths,
      };
    }

    /** Made once; an attempt that failed is not remembered. */
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
              headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy },
            }),
          hidden,
        )
        .get("/openapi/start.js", () => asset(starter, "text/javascript; charset=utf-8"), hidden)
        .get("/openapi/swagger-ui.js", () => asset(Bun.file(script), "text/javascript; charset=utf-8"), hidden)
        .get("/openapi/swagger-ui.css", () => asset(Bun.file(style), "text/css; charset=utf-8"), hidden),
    );
  };
