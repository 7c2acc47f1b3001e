import { isAllowedOrigin, type AllowedOrigins } from "../../core/address/origins.ts";
import { pathOf } from "../request/path.ts";
import { createMethodFinder, isApi, type Route } from "../routing/routing.ts";

interface CorsOptions {
  readonly origins: AllowedOrigins;
  readonly routes: readonly Route[];
  /** Whether browsers navigate to a path below `/api` instead of calling it. Such a path stays closed to other origins. */
  readonly isNavigated: (path: string) => boolean;
}

export type Cors = ReturnType<typeof createCors>;

const sentHeaders = "Content-Type, Authorization, X-Request-Id";
const readHeaders = "X-Request-Id, Retry-After";
/** How long Chromium remembers a preflight. An origin that is taken off the list is refused all the same. */
const rememberedSeconds = 7_200;

const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" && headers.has("access-control-request-method");

/** Lets pages of the allowed origins call the JSON routes with the browser's cookies, and read the answers (Fetch standard, CORS). */
export function createCors({ origins, routes, isNavigated }: CorsOptions) {
  const isOn = origins.loopback || origins.listed.length > 0;
  let methodsOf: ReturnType<typeof createMethodFinder> | undefined;
  const isOpen = (path: string): boolean => isApi(path) && !isNavigated(path);

  function allowedOrigin(request: Request): string | undefined {
    const origin = request.headers.get("origin");
    return origin !== null && isAllowedOrigin(origin, origins) ? origin : undefined;
  }

  return {
    /** Whether pages of allowed origins may call a path. */
    isOpen,

    /** Whether a page of an allowed origin asks for a change that it may make. */
    isAllowed: (request: Request): boolean => allowedOrigin(request) !== undefined && isOpen(pathOf(request.url)),

    /** Whether a page of an origin that is not allowed asks by a preflight for what an allowed one may call. */
    isRefusedPreflight: (request: Request, path: string): boolean =>
      isPreflight(request) && isOpen(path) && allowedOrigin(request) === undefined,

    /**
     * Answers the preflight of an allowed origin for a path that has routes. Undefined for any other OPTIONS request, which goes on as usual.
     */
    preflight(request: Request): Response | undefined {
      if (!isPreflight(request)) return undefined;
      const path = pathOf(request.url);
      if (allowedOrigin(request) === undefined || !isOpen(path)) return undefined;
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
      if (!isOn || !isOpen(path)) return;
      headers.append("vary", "Origin");
      const origin = allowedOrigin(request);
      if (origin === undefined) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-allow-credentials", "true");
      headers.set("access-control-expose-headers", readHeaders);
    },
  };
}
