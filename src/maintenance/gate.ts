import { AppError } from "../core/errors.ts";
import { envelope, isApi, pathOf, preferencesIn, type Gate, type RequestFacts } from "../http/index.ts";
import type { StandalonePage } from "../http/pages/standalone.tsx";
import type { MaintenanceState } from "./state.ts";

interface GateOptions {
  /** The page that people see in place of the application's. */
  readonly page: StandalonePage;
  readonly state: MaintenanceState;
  readonly retryAfterMs: number;
  /** Whether a path must look absent to a request. For that request it is the application's, as every absent path is. */
  readonly isAbsent: (request: Request, path: string) => boolean;
  readonly facts: RequestFacts;
  readonly onRefusal: ((refusal: AppError) => void) | undefined;
}

/** Returns whether a path is for operators and their machines, and stays up. Every other path, known or not, is the application's. */
const isOperational = (path: string): boolean =>
  path.startsWith("/-/") || path === "/metrics" || path === "/lighthouse" || path.startsWith("/lighthouse/");

/** Answers the application's requests with 503 while maintenance is on. Requests that were let in before are finished. */
export function createGate({ page, state, retryAfterMs, isAbsent, facts, onRefusal }: GateOptions): Gate {
  const always = {
    "retry-after": String(Math.ceil(retryAfterMs / 1_000)),
    "cache-control": "no-store",
    vary: "Accept",
    "x-robots-tag": "noindex",
  };

  function refuse(request: Request, path: string): Response {
    const refusal = new AppError(state.isUnknown() ? "maintenance_unknown" : "maintenance");
    onRefusal?.(refusal);
    if (isApi(path) || prefersJson(request.headers.get("accept") ?? "")) {
      const body = { ...envelope(refusal, facts.requestId(request)), maintenance: true };
      return Response.json(body, { status: 503, headers: always });
    }
    const headers = {
      ...always,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.policy(),
    };
    return new Response(page.html(request), { status: 503, headers });
  }

  return (request) => {
    const on = state.peek();
    if (on === false) return undefined;
    const path = pathOf(request.url);
    if (isOperational(path) && !isAbsent(request, path)) return undefined;
    if (on === true) return refuse(request, path);
    return state.find().then((found) => (found.on ? refuse(request, path) : undefined));
  };
}

/** Returns whether an Accept header names JSON and wants it no less than a page (RFC 9110 §12.5.1). A wildcard names nothing. */
function prefersJson(accept: string): boolean {
  const ranges = preferencesIn(accept);
  const wish = (type: string): number =>
    Math.max(0, ...ranges.filter(({ value }) => value === type).map(({ quality }) => quality));
  const json = wish("application/json");
  return json > 0 && json >= wish("text/html");
}
