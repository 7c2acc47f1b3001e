import { Elysia } from "elysia";
import type { AppError } from "../core/errors.ts";
import type { Log } from "../observe/index.ts";
import { createBodyFailures, jsonBodies } from "./body.ts";
import { errors } from "./errors.ts";
import type { RequestFacts } from "./facts.ts";

export { addressBucket, normaliseAddress } from "./address.ts";
export { formOf } from "./body.ts";
export { appendCookie, readCookie, type ResponseHead } from "./cookies.ts";
export { isCrossSite } from "./csrf.ts";
export { createDiagnosticCheck } from "./diagnostic.ts";
export { docsRoutes } from "./docs/docs.ts";
export { envelope, errorResponses } from "./envelope.ts";
export { toAppError } from "./errors.ts";
export { createRequestFacts, type RequestFacts } from "./facts.ts";
export { createRequestMeter } from "./metrics/measure.ts";
export { listenForScrapes, metricsRoutes, type MetricsListener } from "./metrics/metrics.ts";
export { localPath } from "./local.path.ts";
export { pathOf } from "./path.ts";
export { checkRoutes } from "./metrics/route.names.ts";
export { createRouteFinder, isApi, type Route } from "./routing.ts";
export { createHttpServer, type Gate, type RequestWatch } from "./server.ts";
export { password, text } from "./text.ts";

interface HttpPluginOptions {
  readonly facts: RequestFacts;
  /** Paths whose POST takes a form instead of JSON. */
  readonly awaitedForms?: ReadonlySet<string>;
  /** Other paths that take one, from pages of their own. */
  readonly takesForm?: (path: string) => boolean;
  readonly log: Log;
  /** Told why a request is refused. */
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
}

/** What every route stands on: bounded JSON bodies, one error envelope. Use it before any route. */
export function httpPlugins({ facts, awaitedForms = new Set(), takesForm, log, onRefusal }: HttpPluginOptions) {
  const bodies = createBodyFailures();
  return new Elysia({ name: "http" })
    .use(errors({ facts, log, onRefusal, bodies }))
    .use(jsonBodies(bodies, awaitedForms, takesForm));
}
