import type { Config } from "../config/index.ts";
import { AppError } from "../core/errors.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { Log } from "../observe/index.ts";
import type { Cors } from "./response/cors.ts";
import { listen, type Listener } from "./listen.ts";
import { isAwaitedForm, isJson, isSafeMethod } from "./request/csrf.ts";
import { errorResponse } from "./response/envelope.ts";
import { toAppError } from "./response/errors.ts";
import type { RequestFacts } from "./request/facts.ts";
import { createRefusedOrigins } from "./response/refused.origin.ts";
import { createResponseHeaders } from "./response/headers.ts";
import type { RequestMetrics } from "./metrics/requests.ts";
import { pathOf, pathStart } from "./request/path.ts";
import { createPipelineLimit } from "./request/pipelining.ts";
import { createMethodFinder, unroutedResponse, type Route } from "./routing/routing.ts";

interface ServerOptions {
  readonly app: {
    readonly fetch: (request: Request) => Response | Promise<Response>;
    readonly routes: readonly Route[];
  };
  readonly config: Pick<Config["http"], "host" | "port" | "reusePort">;
  readonly appUrl: URL;
  /** Paths to which pages of other sites may post a form. */
  readonly awaitedForms?: ReadonlySet<string>;
  /** Undefined where there are no JSON routes. */
  readonly cors?: Cors | undefined;
  readonly facts: RequestFacts;
  readonly metrics?: RequestMetrics | undefined;
  /** Watches every request from its arrival to its answer. */
  readonly watch?: RequestWatch | undefined;
  readonly log: Log;
  /** Called before anything else for every request. Its response, if any, is the answer. */
  readonly gate?: Gate;
  /** Whether a path answers 404 instead of 405 to a method that none of its routes takes. */
  readonly isHidden?: (path: string) => boolean;
  /** Returns the page for the reader of an absent address, if the request asks for a page. */
  readonly absentPage?: ((request: Request) => Response | undefined) | undefined;
  /** Whether a path looks to this request as if it had no routes. */
  readonly isAbsent?: (request: Request, path: string) => boolean;
}

export interface RequestWatch {
  wrap(handle: (request: Request) => Response | Promise<Response>): (request: Request) => Response | Promise<Response>;
  /** Called with the refusal of a request while the request is handled. */
  refused(refusal: AppError): void;
  /** Called with what a program is told in the words of its standard, at whatever status, while the request is handled. */
  declined(refusal: Declined): void;
}

/** The refusal of a program: `code` as its standard has it, and `reason`, which nobody outside learns. */
export interface Declined {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  /** The name of the program, where it is known. */
  readonly program: string | undefined;
}

/**
 * Answers in the router's place, or returns undefined to let the request pass. Returns a promise only where it has to read something first.
 */
export type Gate = (request: Request) => Response | Promise<Response | undefined> | undefined;

interface HttpServer {
  start(): Promise<Pick<Listener, "hostname" | "port" | "url">>;
  /** Makes every later answer ask its client to connect anew elsewhere. The listener stays open. */
  drain(): void;
  /** Drains, lets the requests in flight finish, and cuts the rest at the deadline. */
  stop(deadlineMs: number): Promise<void>;
  /** Returns how many requests have no complete answer yet. */
  pending(): number;
}

const idleTimeoutSeconds = 60;
const mostHeaders = 100;
/** The most characters of a path, without the query. No route has a path a tenth as long. */
const longestPath = 2048;
// Bodies have a much lower limit of their own, and a refusal in the error envelope. Beyond this one the runtime answers, without an
// envelope.
const backstopBytes = 64 * 1024 * 1024;
/** Elysia looks for the path behind the first 11 characters: "http://" and a host of at least four. */
const shortestOrigin = 11;

/**
 * A page of an allowed origin has to send JSON, for which its script needs a preflight. A form can't send JSON, not even one that was
 * smuggled into such a page.
 */
const formRefused = (): AppError =>
  new AppError("cross_site_request", { detail: "A page of another origin needs Content-Type: application/json." });

const tooManyAhead = (): AppError =>
  new AppError("rate_limited", { retryAfterSeconds: 1, detail: "Wait for an answer before the next request." });

export function createHttpServer(options: ServerOptions): HttpServer {
  const {
    app,
    config,
    appUrl,
    awaitedForms = new Set(),
    cors,
    facts,
    metrics,
    watch,
    log,
    gate,
    isHidden,
    isAbsent,
    absentPage,
  } = options;
  const headers = createResponseHeaders({ https: appUrl.protocol === "https:" });
  const pipelined = createPipelineLimit(facts.connection);
  /** Finds the methods of a path. The first request without a route makes it: all routes are there by then. */
  let methodsOf: ReturnType<typeof createMethodFinder> | undefined;
  const refusedOrigin = createRefusedOrigins({ appUrl, log });
  let draining = false;
  let listener: Listener | undefined;

  function refusalOf(request: Request, path: string): AppError | undefined {
    if (request.headers.count > mostHeaders) return new AppError("headers_too_large");
    if (path.length > longestPath) return new AppError("uri_too_long");
    if (isSafeMethod(request.method) || !facts.isCrossSite(request)) return undefined;
    if (cors?.isAllowed(request) === true)
      return isJson(request.headers.get("content-type") ?? "") ? undefined : formRefused();
    return isAwaitedForm(request, awaitedForms) ? undefined : refusedOrigin(request, cors?.isOpen(path) === true);
  }

  function refuse(request: Request, refusal: AppError): Response {
    watch?.refused(refusal);
    return errorResponse(refusal, facts.requestId(request));
  }

  /** Makes a request for the router, which takes neither the relative URL of HTTP/1.0 without Host nor HEAD. */
  function standIn(original: Request, path: string): Request {
    const { headers: sent, signal } = original;
    const method = original.method === "HEAD" ? "GET" : original.method;
    const body = method === "GET" ? null : original.body;
    const request = new Request(`http://localhost${path}`, { method, headers: sent, body, signal });
    facts.standIn(request, original);
    return request;
  }

  function route(request: Request, path: string): Response | Promise<Response> {
    // Preflights are answered even in maintenance: without them a page could not read the answer of the gate.
    const barred = cors?.preflight(request) ?? gate?.(request);
    if (barred === undefined) return dispatch(request, path);
    return barred instanceof Response ? barred : barred.then((response) => response ?? dispatch(request, path));
  }

  function dispatch(request: Request, path: string): Response | Promise<Response> {
    const refusal = refusalOf(request, path);
    if (refusal !== undefined) return refuse(request, refusal);
    if (isAbsent?.(request, path) === true) return unroutedResponse([], path, facts.requestId(request));
    const { url, method } = request;
    const slash = pathStart(url);
    return app.fetch(method === "HEAD" || slash < shortestOrigin ? standIn(request, url.slice(slash)) : request);
  }

  function unrouted(request: Request, path: string): Response {
    // The page never sends what it asked for: this is the one place where its origin can be named.
    if (cors?.isRefusedPreflight(request, path) === true) watch?.refused(refusedOrigin(request, true));
    methodsOf ??= createMethodFinder(app.routes);
    return unroutedResponse(isHidden?.(path) === true ? [] : methodsOf(path), path, facts.requestId(request));
  }

  /** Completes a 404. An empty one is what an absent route looks like, whatever it comes from: all of them get the same page. */
  function absent(request: Request, path: string, routed: Response): Response {
    const response = facts.isUnrouted(request) ? unrouted(request, path) : routed;
    return response.body === null && response.status === 404 ? (absentPage?.(request) ?? response) : response;
  }

  function finish(request: Request, path: string, routed: Response, startedAt: number, isLast = draining): Response {
    const response = routed.status === 404 ? absent(request, path, routed) : routed;
    headers.complete(response, facts.finalRequestId(request), isLast);
    cors?.complete(request, path, response);
    metrics?.answered(request.method, path, response.status, startedAt);
    return response;
  }

  /** Answers where Elysia's own handling of errors has failed. */
  function fail(request: Request, path: string, error: unknown, startedAt: number): Response {
    log.error("request failed", { request_id: facts.requestId(request), error });
    watch?.refused(toAppError(error));
    return finish(request, path, errorResponse(toAppError(error), facts.requestId(request)), startedAt);
  }

  // Every request comes through here, and an async function would add promises of its own to each.
  function handle(request: Request): Response | Promise<Response> {
    const startedAt = metrics === undefined ? 0 : performance.now();
    const path = pathOf(request.url);
    try {
      // The runtime closes the connection after this answer and drops the requests that are left in it.
      if (pipelined.isExcess(request)) return finish(request, path, refuse(request, tooManyAhead()), startedAt, true);
      const routed = route(request, path);
      if (routed instanceof Response) return finish(request, path, routed, startedAt);
      return routed.then(
        (response) => finish(request, path, response, startedAt),
        (error: unknown) => fail(request, path, error, startedAt),
      );
    } catch (error) {
      return fail(request, path, error, startedAt);
    }
  }

  return {
    async start() {
      listener = listen(config, {
        idleTimeout: idleTimeoutSeconds,
        maxRequestBodySize: backstopBytes,
        fetch: watch === undefined ? handle : watch.wrap(handle),
      });
      facts.attach(listener.server);
      return listener;
    },

    drain() {
      draining = true;
    },

    async stop(deadlineMs) {
      draining = true;
      if (listener === undefined) return;
      await endsWithin(listener.stop(), deadlineMs);
      await listener.stop(true);
    },

    pending: () => listener?.pending() ?? 0,
  };
}
