import { pathOf } from "../request/path.ts";
import { createMethodFinder, isApi, type Route } from "../routing/routing.ts";

interface CorsOptions {
  /** Origins as browsers send them; they are compared character by character. */
  readonly origins: readonly string[];
  readonly routes: readonly Route[];
  /** Whether browsers navigate to a path below `/api` instead of calling it. Such a path stays closed to other origins. */
  readonly isNavigated: (path: string) => boolean;
}

export type Cors = ReturnType<typeof createCors>;

const sentHeaders = "Content-Type, Authorization, X-Request-Id";
const readHeaders = "X-Request-Id, Retry-After";
/** How long Chromium remembers a preflight. An origin that is taken off the list is refused all the same. */
const rememberedSeconds = 7_200;

/** Lets pages of the listed origins call the JSON routes with the browser's cookies, and read the answers (Fetch standard, CORS). */
export function createCors({ origins, routes, isNavigated }: CorsOptions) {
  const listed = new Set(origins);
  let methodsOf: ReturnType<typeof createMethodFinder> | undefined;
  const isOpen = (path: string): boolean => isApi(path) && !isNavigated(path);

  function listedOrigin(request: Request): string | undefined {
    const origin = request.headers.get("origin");
    return origin !== null && listed.has(origin) ? origin : undefined;
  }

  return {
    /** Whether a page of a listed origin asks for a change that it may make. */
    isListed: (request: Request): boolean => listedOrigin(request) !== undefined && isOpen(pathOf(request.url)),

    /**
     * Answers the preflight of a listed origin for a path that has routes. Undefined for any other OPTIONS request, which goes on as usual.
     */
    preflight(request: Request): Response | undefined {
      if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
      const path = pathOf(request.url);
      if (listedOrigin(request) === undefined || !isOpen(path)) return undefined;
      methodsOf ??= createMethodFinder(routes);
      const methods = methodsOf(path);
      if (methods.length === 0) return undefined;
      const headers = {
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": sentHeaders,
        "access-control-max-age": String(rememberedSeconds),
      };
      return new Response(null, { status: 204, headers });
    },

    /** Completes every answer of a JSON route, refusals included: a page must be able to read why it was refused. */
    complete(request: Request, path: string, { headers }: Response): void {
      if (!isOpen(path)) return;
      headers.append("vary", "Origin");
      const origin = listedOrigin(request);
      if (origin === undefined) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-allow-credentials", "true");
      headers.set("access-control-expose-headers", readHeaders);
    },
  };
}
