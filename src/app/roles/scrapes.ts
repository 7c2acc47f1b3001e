import type { Role } from "../definition.ts";
import type { Config } from "../../config/index.ts";
import { listenForScrapes, type MetricsListener } from "../../http/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics/index.ts";

interface ScrapeOptions {
  readonly config: Pick<Config, "metrics">;
  readonly roles: readonly Role[];
  readonly metrics: Metrics;
  readonly log: Log;
}

/**
 * Serves the metrics on the port of a worker or a scheduler. A process with the HTTP role serves them on its own port, unless
 * METRICS_HTTP_PORT gives it another one: a scrape of a shared port reaches any of the processes behind it.
 */
export function serveScrapes({ config, roles, metrics, log }: ScrapeOptions): MetricsListener | undefined {
  const { enabled, host, behindProxy, httpPort, jobsPort, schedulerPort } = config.metrics;
  const places = {
    http: { port: httpPort, variable: "METRICS_HTTP_PORT" },
    worker: { port: jobsPort, variable: "METRICS_JOBS_PORT" },
    scheduler: { port: schedulerPort, variable: "METRICS_SCHEDULER_PORT" },
  } as const;
  const [first = "http"] = roles;
  const { port, variable } = places[roles.includes("http") ? "http" : first];
  if (!enabled || port === undefined) return undefined;
  const listener = listenForScrapes({ ...metrics, port, variable, host, behindProxy });
  log.info("serving metrics", { url: listener.url });
  return listener;
}
