import { Elysia } from "elysia";
import type { AppError } from "../core/errors.ts";
import type { Log } from "../observe/index.ts";
import { createBodyFailures, jsonBodies } from "./request/body.ts";
import { errors } from "./response/errors.ts";
import type { RequestFacts } from "./request/facts.ts";

export { preferencesIn } from "./request/accept.ts";
export { bearerToken } from "./request/bearer.ts";
export { formOf } from "./request/body.ts";
export { createBrowserBinding, type BrowserBinding } from "./response/browser.binding.ts";
export { appendCookie, type ResponseHead } from "./response/cookies.ts";
export { createCors } from "./response/cors.ts";
export { countCookies, readCookie, readCookies } from "./request/cookies.ts";
export { isBrowser, isJson } from "./request/csrf.ts";
export { createDiagnosticCheck } from "./request/diagnostic.ts";
export { docsRoutes, documentOnce } from "./docs/docs.ts";
export { grouped } from "./docs/operation.ts";
export { hidden, operation, type QueryParameter } from "./docs/operation.ts";
export { answers, envelope, errorResponses, errorResponsesAt } from "./response/envelope.ts";
export { toAppError } from "./response/errors.ts";
export { createFailureLog } from "./response/failures.ts";
export { nullable, Ok, Timestamp } from "./response/schemas.ts";
export { bodyOf, field, type Field } from "./request/fields.ts";
export { requireKnown } from "./routing/parameters.ts";
export { createForwardedPaths, isForwarded } from "./request/forwarded.ts";
export { createRequestFacts, type RequestFacts } from "./request/facts.ts";
export { createRequestMetrics } from "./metrics/requests.ts";
export { listenForScrapes, metricsRoutes, type MetricsListener } from "./metrics/metrics.ts";
export { preferredLocale, preferredTags } from "./request/languages.ts";
export { pathOf, queryOf } from "./request/path.ts";
export { checkRoutes } from "./routing/routing.ts";
export { createRouteFinder, isApi, type Route } from "./routing/routing.ts";
export { createHttpServer, type Gate, type RequestWatch, type Declined } from "./server.ts";

interface HttpPluginOptions {
  readonly facts: RequestFacts;
  /** Paths to which pages of other sites may post a form. */
  readonly awaitedForms?: ReadonlySet<string>;
  /** Whether a path takes a form from a page of this host. */
  readonly takesForm?: (path: string) => boolean;
  /** Paths of JSON routes whose body may also come as a form. */
  readonly takesFields?: ReadonlySet<string>;
  /** Routes, such as `/users/:id`, that take a body of up to 64 KiB. */
  readonly roomy?: readonly string[];
  readonly log: Log;
  /** Called with the refusal of each refused request. */
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
}

/** The base of every route: bounded JSON bodies and one error envelope. The app has to use it before any route. */
export function httpPlugins(options: HttpPluginOptions) {
  const { facts, awaitedForms = new Set(), takesForm, takesFields, roomy, log, onRefusal } = options;
  const bodies = createBodyFailures();
  return new Elysia({ name: "http" })
    .use(errors({ facts, log, onRefusal, bodies }))
    .use(jsonBodies(bodies, awaitedForms, takesForm, takesFields, roomy));
}
