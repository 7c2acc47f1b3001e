import { families } from "./families.ts";
import { createCounter, createDurations, type Durations, type Labels, type Sample } from "./series.ts";

export interface RouteFigures {
  readonly method: string;
  /** The pattern of the route, never the path of a request. */
  readonly route: string;
  /** How many answers had the status that is the index: mostly zeros. */
  readonly answers: readonly number[];
  readonly durations: Durations;
}

/** What the HTTP server counts; read when scraped. */
export interface HttpFigures {
  routes(): readonly RouteFigures[];
  inflight(): number;
}

export const createRequestDurations = (): Durations => createDurations(families.http_request_duration_seconds.bounds);

/** The statuses that were answered, and how often. */
const occurring = (answers: readonly number[]): [status: number, count: number][] =>
  [...answers.entries()].filter(([, count]) => count > 0);

/** What the HTTP server counts, and requests by proxies that nobody told us of. */
export function createHttpMetrics() {
  const forgottenProxies = createCounter<Labels>(families.http_forgotten_proxy_requests_total.labels);
  forgottenProxies.count({}, 0);
  let http: HttpFigures = { routes: () => [], inflight: () => 0 };
  return {
    forgottenProxy: (): void => forgottenProxies.count({}),
    watch(watched: HttpFigures): void {
      http = watched;
    },
    samples: {
      http_requests_total: () => byStatus(http.routes()),
      http_requests_by_route_total: () =>
        http
          .routes()
          .flatMap(({ method, route, answers }) =>
            occurring(answers).map(([status, value]) => ({ labels: { method, route, status: String(status) }, value })),
          ),
      http_request_duration_seconds: () =>
        http.routes().flatMap(({ method, route, durations }) => durations.samples({ method, route })),
      http_requests_inflight: () => [{ labels: {}, value: http.inflight() }],
      http_forgotten_proxy_requests_total: forgottenProxies.samples,
    },
  };
}

function byStatus(routes: readonly RouteFigures[]): readonly Sample[] {
  const totals = createCounter<{ method: string; status: string }>(families.http_requests_total.labels);
  for (const { method, answers } of routes) {
    for (const [status, count] of occurring(answers)) totals.count({ method, status: String(status) }, count);
  }
  return totals.samples();
}
