import type { HostApp } from "./index.ts";
import type { Settings, Topology } from "./settings.ts";

export interface HostUnits {
  /** Every unit that is enabled and started, the target first. */
  readonly all: readonly string[];
  /** Units that answer requests, each with its port. */
  readonly http: readonly { readonly unit: string; readonly port: number }[];
  /** Every port that the services listen on, including those of metrics. */
  readonly ports: readonly number[];
}

const own = {
  gatehouse: { http: 3000, metrics: 10_021, jobs: 10_002, scheduler: 10_001, prefix: "" },
  "gatehouse-admin": { http: 3001, metrics: 10_031, jobs: 10_012, scheduler: 10_011, prefix: "ADMIN_" },
} as const;

/** Returns the units of an app in a topology, and the ports that these settings give them. Schedules run in the API app alone. */
export function hostUnits(app: HostApp, topology: Topology, settings: Settings): HostUnits {
  const { prefix, ...usual } = own[app];
  const port = (variable: string, otherwise: number): number =>
    Number(settings[`${prefix}${variable}`] ?? settings[variable] ?? otherwise);
  const shared = port("API_HTTP_PORT", usual.http);
  const jobs = port("METRICS_JOBS_PORT", usual.jobs);
  const schedulers = app === "gatehouse" ? [port("METRICS_SCHEDULER_PORT", usual.scheduler)] : [];
  const others = [`${app}-worker.service`, ...schedulers.map(() => `${app}-scheduler.service`)];
  const instance = (name: number): string => `${app}-api@${name}.service`;
  const units = (http: HostUnits["http"], more: readonly string[], ports: readonly number[]): HostUnits => ({
    all: [`${app}.target`, ...http.map(({ unit }) => unit), ...more],
    http,
    ports: [...new Set([...http.map((each) => each.port), ...ports])],
  });
  switch (topology) {
    case "shared":
      return units(
        [1, 2].map((name) => ({ unit: instance(name), port: shared })),
        others,
        [usual.metrics, usual.metrics + 1, jobs, ...schedulers],
      );
    case "ports":
      return units(
        [usual.http, usual.http + 2].map((name) => ({ unit: instance(name), port: name })),
        others,
        [jobs, ...schedulers],
      );
    case "single":
      return units([{ unit: `${app}-run.service`, port: shared }], [], []);
  }
}
