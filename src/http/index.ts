import { Elysia } from "elysia";
import type { AppError } from "../core/errors.ts";
import type { Log } from "../observe/index.ts";
import { createBodyFailures, jsonBodies } from "./body.ts";
import { errors } from "./errors.ts";
import type { RequestFacts } from "./facts.ts";

export { addressBucket, normaliseAddress } from "./address.ts";
export { readForm } from "./body.ts";
export { appendCookie, readCookie, type ResponseHead } from "./cookies.ts";
export { docsRoutes } from "./docs.ts";
export { errorResponses } from "./envelope.ts";
export { toAppError } from "./errors.ts";
export { createRequestFacts, type RequestFacts } from "./facts.ts";
export { createRequestMeter } from "./measure.ts";
export { listenForScrapes, metricsRoutes, type MetricsListener } from "./metrics.ts";
export { checkRoutes } from "./route.names.ts";
export { createRouteFinder, type Route } from "./routing.ts";
export { createHttpServer, type RequestWatch } from "./server.ts";
export { password, text } from "./text.ts";

interface HttpPluginOptions {
  readonly facts: RequestFacts;
  readonly log: Log;
  /** Told why a request is refused. */
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
}

/** What every route stands on: bounded JSON bodies, one error envelope. Use it before any route. */
export function httpPlugins({ facts, log, onRefusal }: HttpPluginOptions) {
  const bodies = createBodyFailures();
  return new Elysia({ name: "http" }).use(errors({ facts, log, onRefusal, bodies })).use(jsonBodies(bodies));
}
