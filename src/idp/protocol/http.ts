import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import { createFailureLog, formOf, hidden, type RequestFacts } from "../../http/index.ts";
import type { Log } from "../../observe/index.ts";
import { invalidRequest, OAuthError, toOAuthError } from "./errors.ts";
import { readParams, type Params } from "./params.ts";

interface EndpointOptions {
  readonly facts: RequestFacts;
  readonly log: Log;
  /** Whether a script of this origin may read answers. */
  readonly isBrowserOrigin: (origin: string) => Promise<boolean>;
  readonly onRefusal: (request: Request, error: OAuthError) => void;
  readonly onFailure: (error: AppError) => void;
}

/** What an endpoint for programs gets of a request. */
export interface Call {
  readonly request: Request;
  readonly params: Params;
  readonly headers: Headers;
}

/** What an endpoint for programs gets of a request whose body is JSON. */
export interface JsonCall extends Pick<Call, "request" | "headers"> {
  readonly body: unknown;
}

/** Whether answers to this call may be read by scripts of other origins. */
interface Openness {
  readonly methods: "POST" | "GET, POST";
  readonly isOpen: boolean;
}

const allowedHeaders = "Authorization, Content-Type, DPoP";

/** The head of every answer with a token, or about one (RFC 6749 §5.1). */
const uncached = { "cache-control": "no-store", pragma: "no-cache" } as const;

/** Reads the form of a call. Throws the words for it where a program has sent something else, as many send JSON. */
function formIn(body: unknown): URLSearchParams {
  try {
    return formOf(body);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== "unsupported_media_type") throw error;
    throw invalidRequest("The body has to be a form: application/x-www-form-urlencoded.");
  }
}

/** Makes endpoints for programs: forms in, JSON out, and errors as RFC 6749 §5.2 has them. */
export function createEndpoints({ facts, log, isBrowserOrigin, onRefusal, onFailure }: EndpointOptions) {
  const tell = createFailureLog(log);

  function refuse(error: unknown, request: Request, headers: Headers): Response {
    const found = toOAuthError(error);
    const refusal =
      found instanceof OAuthError
        ? found
        : new OAuthError(
            found.status === 503 ? "temporarily_unavailable" : "server_error",
            "Something went wrong here.",
            { retryAfterSeconds: found.retryAfterSeconds },
          );
    if (found instanceof AppError) {
      onFailure(found);
      tell(found, facts.requestId(request));
    } else onRefusal(request, refusal);
    if (refusal.retryAfterSeconds !== undefined) headers.set("retry-after", String(refusal.retryAfterSeconds));
    if (refusal.status === 401 && !headers.has("www-authenticate"))
      headers.set("www-authenticate", `Basic realm="oauth2"`);
    const body = { error: refusal.code, error_description: refusal.message };
    return Response.json(body, { status: refusal.status, headers });
  }

  async function openTo(request: Request, headers: Headers, { isOpen }: Openness): Promise<void> {
    const origin = request.headers.get("origin");
    if (!isOpen || origin === null) return;
    headers.set("vary", "Origin");
    if (!(await isBrowserOrigin(origin))) return;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-expose-headers", "WWW-Authenticate, Retry-After");
  }

  /** Mounts an endpoint that takes a form. `answer` returns what is sent as JSON, a whole answer, or nothing for an empty one. */
  const endpoint = (
    path: string,
    openness: Openness,
    answer: (call: Call) => Promise<object | Response | undefined>,
  ) => {
    async function handle(request: Request, form: () => URLSearchParams): Promise<Response> {
      const headers = new Headers(uncached);
      await openTo(request, headers, openness);
      try {
        const made = await answer({ request, params: readParams(form()), headers });
        if (made instanceof Response) return made;
        return made === undefined ? new Response(null, { headers }) : Response.json(made, { headers });
      } catch (error) {
        return refuse(error, request, headers);
      }
    }

    async function preflight(request: Request): Promise<Response> {
      const headers = new Headers();
      await openTo(request, headers, openness);
      if (headers.has("access-control-allow-origin")) {
        headers.set("access-control-allow-methods", openness.methods);
        headers.set("access-control-allow-headers", allowedHeaders);
        headers.set("access-control-max-age", "600");
      }
      return new Response(null, { status: 204, headers });
    }

    const routes = new Elysia().post(path, ({ request, body }) => handle(request, () => formIn(body)), hidden);
    if (openness.methods === "GET, POST")
      routes.get(path, ({ request }) => handle(request, () => new URLSearchParams()), hidden);
    if (openness.isOpen) routes.options(path, ({ request }) => preflight(request), hidden);
    return routes;
  };

  /** Mounts an endpoint that takes an object of JSON, which is not checked. */
  const jsonEndpoint = (path: string, answer: (call: JsonCall) => Promise<Response>) =>
    new Elysia().post(
      path,
      async ({ request, body }) => {
        const headers = new Headers(uncached);
        try {
          return await answer({ request, body, headers });
        } catch (error) {
          return refuse(error, request, headers);
        }
      },
      hidden,
    );

  return { endpoint, jsonEndpoint };
}

export type Endpoints = ReturnType<typeof createEndpoints>;
