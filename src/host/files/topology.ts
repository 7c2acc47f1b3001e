import type { HostApp } from "./host.app.ts";
import type { Settings, Topology } from "./settings.ts";

export interface HostUnits {
  /** Every unit that is enabled and started, the target first. */
  readonly all: readonly string[];
  /** Units that answer requests, each with its port. */
  readonly http: readonly { readonly unit: string; readonly port: number }[];
  /** Every port that the services listen on, including those of metrics. */
  readonly ports: readonly number[];
  /** Units that have metrics, each with the port that they are scraped on. */
  readonly scraped: HostUnits["http"];
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
  const worker = { unit: `${app}-worker.service`, port: port("METRICS_JOBS_PORT", usual.jobs) };
  const scheduler = { unit: `${app}-scheduler.service`, port: port("METRICS_SCHEDULER_PORT", usual.scheduler) };
  const others = app === "gatehouse" ? [worker, scheduler] : [worker];
  const instance = (name: number): string => `${app}-api@${name}.service`;
  const units = (http: HostUnits["http"], scraped: HostUnits["http"]): HostUnits => ({
    all: [...new Set([`${app}.target`, ...[...http, ...scraped].map(({ unit }) => unit)])],
    http,
    ports: [...new Set([...http, ...scraped].map((each) => each.port))],
    scraped,
  });
  switch (topology) {
    case "shared": {
      const names = [1, 2];
      // A scrape of the shared port would reach whichever instance the kernel chooses.
      const scraped = names.map((name) => ({ unit: instance(name), port: usual.metrics + name - 1 }));
      return units(
        names.map((name) => ({ unit: instance(name), port: shared })),
        [...scraped, ...others],
      );
    }
    case "ports": {
      const http = [usual.http, usual.http + 2].map((name) => ({ unit: instance(name), port: name }));
      return units(http, [...http, ...others]);
    }
    case "single": {
      const http = [{ unit: `${app}-run.service`, port: shared }];
      return units(http, http);
    }
  }
}
