import { flag, host, port } from "./kinds/kinds.ts";
import type { Section } from "./kinds/variable.ts";

export const metricsVariables = {
  enabled: {
    group: "Metrics",
    name: "METRICS_ENABLED",
    kind: flag,
    fallback: "true",
    description: "Counts, and serves /metrics",
  },
  behindProxy: {
    group: "Metrics",
    name: "METRICS_BEHIND_PROXY",
    kind: flag,
    fallback: "false",
    description: "Serves /metrics to requests that a proxy forwarded, too; to them it is absent otherwise",
  },
  host: {
    group: "Metrics",
    name: "METRICS_HOST",
    kind: host,
    fallback: "127.0.0.1",
    description: "Address on which /metrics is served on a port of its own",
  },
  /** Undefined if /metrics is served on the HTTP port alone. */
  httpPort: {
    group: "Metrics",
    name: "METRICS_HTTP_PORT",
    kind: port,
    optional: true,
    description:
      "Its port in a process that serves HTTP, besides the HTTP port; for processes that share that one. None without",
  },
  jobsPort: {
    group: "Metrics",
    name: "METRICS_JOBS_PORT",
    kind: port,
    otherwise: ({ app }) => String(app.ports.worker),
    description: "Its port in a worker: 10002, in the admin binary 10012; 0 takes any free one",
  },
  schedulerPort: {
    group: "Metrics",
    name: "METRICS_SCHEDULER_PORT",
    kind: port,
    otherwise: ({ app }) => String(app.ports.scheduler),
    description: "Its port in a scheduler: 10001, in the admin binary 10011; 0 takes any free one",
  },
} as const satisfies Section;
