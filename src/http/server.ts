import type { Config } from "../config/index.ts";
import { AppError } from "../core/errors.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { Log } from "../observe/index.ts";
import type { Cors } from "./response/cors.ts";
import { isAwaitedForm, isCrossSite, isJson, isSafeMethod } from "./request/csrf.ts";
import { errorResponse } from "./response/envelope.ts";
import { toAppError } from "./response/errors.ts";
import type { RequestFacts } from "./request/facts.ts";
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
  /** Undefined where no other origin may call the JSON routes. */
  readonly cors?: Cors | undefined;
  readonly facts: RequestFacts;
  readonly metrics?: RequestMetrics | undefined;
  /** Looks on at every request from its arrival to its answer. */
  readonly watch?: RequestWatch | undefined;
  readonly log: Log;
  /** Asked before anything else, for every request. What it answers is the answer. */
  readonly gate?: Gate;
  /** Whether a path that has routes is to look like one that has none, to a method that none of them takes. */
  readonly isHidden?: (path: string) => boolean;
  /** Whether a path is to look like one that has no routes, to this very request. */
  readonly isAbsent?: (request: Request, path: string) => boolean;
}

export interface RequestWatch {
  wrap(handle: (request: Request) => Response | Promise<Response>): (request: Request) => Response | Promise<Response>;
  /** Called with the refusal of a request, while that is handled. */
  refused(refusal: AppError): void;
}

/** Answers in the router's place, or lets the request pass with undefined; at once unless it has to read something first. */
export type Gate = (request: Request) => Response | Promise<Response | undefined> | undefined;

interface HttpServer {
  start(): Promise<{ readonly hostname: string; readonly port: number; readonly url: URL }>;
  /** From now on every answer asks its client to connect anew elsewhere. The listener stays open. */
  drain(): void;
  /** Drains, lets what is in flight finish, and cuts what is left at the deadline. */
  stop(deadlineMs: number): Promise<void>;
  /** Requests without a complete answer. */
  pending(): number;
}

const idleTimeoutSeconds = 60;
const mostHeaders = 100;
/** In characters, without the query. No route has one a tenth as long. */
const longestPath = 2048;
// Bodies have a much lower limit of their own, and a refusal in the error envelope. Past this one the runtime answers, without.
const backstopBytes = 64 * 1024 * 1024;
/** Elysia looks for the path behind the first 11 characters: "http://" and a host of at least four. */
const shortestOrigin = 11;

/**
 * A page of a listed origin has to say that it sends JSON, which takes a script that has asked by a preflight: a form, even one
 * that was smuggled into such a page, can't say it.
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
  } = options;
  const headers = createResponseHeaders({ https: appUrl.protocol === "https:" });
  const pipelined = createPipelineLimit(facts.connection);
  /** Made when the first request finds no route: all of them are there by then. */
  let methodsOf: ReturnType<typeof createMethodFinder> | undefined;
  let draining = false;
  let server: Bun.Server<undefined> | undefined;

  function refusalOf(request: Request): AppError | undefined {
    if (request.headers.count > mostHeaders) return new AppError("headers_too_large");
    if (pathOf(request.url).length > longestPath) return new AppError("uri_too_long");
    if (isSafeMethod(request.method) || !isCrossSite(request, appUrl.origin)) return undefined;
    if (cors?.isListed(request) === true)
      return isJson(request.headers.get("content-type") ?? "") ? undefined : formRefused();
    return isAwaitedForm(request, awaitedForms) ? undefined : new AppError("cross_site_request");
  }

  function refuse(request: Request, refusal: AppError): Response {
    watch?.refused(refusal);
    return errorResponse(refusal, facts.requestId(request));
  }

  /** The router takes neither the relative URL of HTTP/1.0 without Host nor HEAD: it gets a request that stands in for them. */
  function standIn(original: Request, path: string): Request {
    const { headers: sent, signal } = original;
    const method = original.method === "HEAD" ? "GET" : original.method;
    const body = method === "GET" ? null : original.body;
    const request = new Request(`http://localhost${path}`, { method, headers: sent, body, signal });
    facts.standIn(request, original);
    return request;
  }

  function route(request: Request): Response | Promise<Response> {
    // Even in maintenance: without it a page could not read that answer.
    const barred = cors?.preflight(request) ?? gate?.(request);
    if (barred === undefined) return dispatch(request);
    return barred instanceof Response ? barred : barred.then((response) => response ?? dispatch(request));
  }

  function dispatch(request: Request): Response | Promise<Response> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(request, refusal);
    const { url, method } = request;
    const path = pathOf(url);
    if (isAbsent?.(request, path) === true) return unroutedResponse([], path, facts.requestId(request));
    const slash = pathStart(url);
    return app.fetch(method === "HEAD" || slash < shortestOrigin ? standIn(request, url.slice(slash)) : request);
  }

  function unrouted(request: Request): Response {
    const path = pathOf(request.url);
    methodsOf ??= createMethodFinder(app.routes);
    return unroutedResponse(isHidden?.(path) === true ? [] : methodsOf(path), path, facts.requestId(request));
  }

  function finish(request: Request, routed: Response, startedAt: number, isLast = draining): Response {
    const response = routed.status === 404 && facts.isUnrouted(request) ? unrouted(request) : routed;
    const path = pathOf(request.url);
    headers.complete(response, facts.finalRequestId(request), isLast);
    cors?.complete(request, path, response);
    metrics?.answered(request.method, path, response.status, startedAt);
    return response;
  }

  /** The answer where Elysia's own handling of errors has failed. */
  function fail(request: Request, error: unknown, startedAt: number): Response {
    log.error("request failed", { request_id: facts.requestId(request), error });
    watch?.refused(toAppError(error));
    return finish(request, errorResponse(toAppError(error), facts.requestId(request)), startedAt);
  }

  // Every request comes through here, and an async function would add promises of its own to each.
  function handle(request: Request): Response | Promise<Response> {
    const startedAt = metrics === undefined ? 0 : performance.now();
    try {
      // The runtime closes the connection behind this answer, and leaves what else has come by it.
      if (pipelined.isExcess(request)) return finish(request, refuse(request, tooManyAhead()), startedAt, true);
      const routed = route(request);
      if (routed instanceof Response) return finish(request, routed, startedAt);
      return routed.then(
        (response) => finish(request, response, startedAt),
        (error: unknown) => fail(request, error, startedAt),
      );
    } catch (error) {
      return fail(request, error, startedAt);
    }
  }

  function listen(): Bun.Server<undefined> {
    const { host, port, reusePort } = config;
    try {
      return Bun.serve({
        hostname: host,
        port,
        reusePort,
        development: false,
        idleTimeout: idleTimeoutSeconds,
        maxRequestBodySize: backstopBytes,
        fetch: watch === undefined ? handle : watch.wrap(handle),
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`can't listen on ${host}:${port} (API_HTTP_HOST, API_HTTP_PORT): ${reason}`, { cause });
    }
  }

  return {
    async start() {
      server = listen();
      facts.attach(server);
      return { hostname: server.hostname ?? config.host, port: server.port ?? config.port, url: server.url };
    },

    drain() {
      draining = true;
    },

    async stop(deadlineMs) {
      draining = true;
      if (server === undefined) return;
      await endsWithin(server.stop(), deadlineMs);
      await server.stop(true);
    },

    pending: () => server?.pendingRequests ?? 0,
  };
}
