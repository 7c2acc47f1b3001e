import { Elysia, t } from "elysia";
import { operation } from "../docs/operation.ts";
import { grouped } from "../docs/tags.ts";
import { isForwarded } from "../request/forwarded.ts";

/** What writes the figures out: the metrics of the app. */
export interface Scrapable {
  readonly contentType: string;
  scrape(): Promise<string>;
}

/** `GET /metrics`: the figures of the app in the Prometheus text format. */
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
  /** The variable that the port comes from, named where the port is taken: a second worker on one host needs another. */
  readonly variable: string;
  /** Whether requests that a proxy forwarded are answered, too. */
  readonly behindProxy: boolean;
}

export interface MetricsListener {
  readonly url: URL;
  stop(): Promise<void>;
}

const idleTimeoutSeconds = 30;

/** The listener of a process that serves no HTTP otherwise: `/metrics` for GET and HEAD, 404 for everything else. */
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
