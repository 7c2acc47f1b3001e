import { Elysia, t } from "elysia";
import { operation, grouped } from "../docs/operation.ts";
import { isForwarded } from "../request/forwarded.ts";

/** The metrics of the app, which write their figures out. */
export interface Scrapable {
  readonly contentType: string;
  scrape(): Promise<string>;
}

/** Adds `GET /metrics`: the figures of the app in the Prometheus text format. */
export const metricsRoutes = ({ contentType, scrape }: Scrapable) =>
  new Elysia({ name: "http/metrics", ...grouped("Probes") }).get(
    "/metrics",
    async ({ set }) => {
      set.headers["content-type"] = contentType;
      return scrape();
    },
    {
      response: { 200: t.String() },
      detail: operation("getMetrics", {
        summary: "Metrics in the Prometheus text format",
        answers: { 404: "Asked through a proxy, where that is not allowed" },
      }),
    },
  );

interface ListenerOptions extends Scrapable {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. An error names it where the port is taken: a second worker on one host needs another port. */
  readonly variable: string;
  /** Whether requests that a proxy forwarded are answered as well. */
  readonly behindProxy: boolean;
}

export interface MetricsListener {
  readonly url: URL;
  stop(): Promise<void>;
}

const idleTimeoutSeconds = 30;

/** Opens a listener in a process that serves no other HTTP. It answers `/metrics` for GET and HEAD, and everything else with 404. */
export function listenForScrapes(options: ListenerOptions): MetricsListener {
  const { host, port, variable, behindProxy, contentType, scrape } = options;
  const headers = { "x-content-type-options": "nosniff", "cache-control": "no-store" };
  const server = listen();

  function listen(): Bun.Server<undefined> {
    try {
      return Bun.serve({ hostname: host, port, development: false, idleTimeout: idleTimeoutSeconds, fetch: answer });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`metrics can't be served on ${host}:${port} (METRICS_HOST, ${variable}): ${reason}`, { cause });
    }
  }

  async function answer(request: Request): Promise<Response> {
    const { method, url } = request;
    const { pathname } = new URL(url, "http://localhost");
    const isScrape = pathname === "/metrics" && (method === "GET" || method === "HEAD");
    if (!isScrape || (!behindProxy && isForwarded(request))) return new Response(null, { status: 404, headers });
    const text = await scrape();
    return new Response(text, { headers: { ...headers, "content-type": contentType } });
  }

  return { url: server.url, stop: () => server.stop(true) };
}
