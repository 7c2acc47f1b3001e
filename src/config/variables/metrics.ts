import { flag, host, port } from "./kinds/kinds.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const metrics = variablesOf("Metrics");

export const metricsVariables = {
  enabled: metrics("METRICS_ENABLED", flag, {
    fallback: "true",
    description: "Counts, and serves /metrics",
  }),
  behindProxy: metrics("METRICS_BEHIND_PROXY", flag, {
    fallback: "false",
    description: "Serves /metrics to requests that a proxy forwarded, too; to them it is absent otherwise",
  }),
  host: metrics("METRICS_HOST", host, {
    fallback: "127.0.0.1",
    description: "Address on which /metrics is served on a port of its own",
  }),
  /** Undefined if /metrics is served on the HTTP port alone. */
  httpPort: metrics("METRICS_HTTP_PORT", port, {
    optional: true,
    description:
      "Its port in a process that serves HTTP, besides the HTTP port; for processes that share that one. None without",
  }),
  jobsPort: metrics("METRICS_JOBS_PORT", port, {
    otherwise: ({ app }) => String(app.ports.worker),
    description: "Its port in a worker: 10002, in the admin binary 10012; 0 takes any free one",
  }),
  schedulerPort: metrics("METRICS_SCHEDULER_PORT", port, {
    otherwise: ({ app }) => String(app.ports.scheduler),
    description: "Its port in a scheduler: 10001, in the admin binary 10011; 0 takes any free one",
  }),
} as const satisfies Section;
