import type { Role } from "./definition.ts";
import type { Config } from "../config/index.ts";
import { listenForScrapes, type MetricsListener } from "../http/index.ts";
import type { Metrics } from "../observe/metrics.ts";

/** Serves the metrics of a process on a port of their own; undefined where the role has none. */
export function listenForScrapesOf(role: Role, config: Config, metrics: Metrics): MetricsListener | undefined {
  const { enabled, host, behindProxy, httpPort, jobsPort, schedulerPort } = config.metrics;
  const places = {
    http: { port: httpPort, variable: "METRICS_HTTP_PORT" },
    worker: { port: jobsPort, variable: "METRICS_JOBS_PORT" },
    scheduler: { port: schedulerPort, variable: "METRICS_SCHEDULER_PORT" },
  } as const;
  const { port, variable } = places[role];
  return enabled && port !== undefined
    ? listenForScrapes({ ...metrics, port, variable, host, behindProxy })
    : undefined;
}
