import { contentType, writeExposition } from "./exposition.ts";
import { families, type FamilyName } from "./families.ts";
import { createFlowMetrics } from "./flows.ts";
import { createHttpMetrics } from "./http.ts";
import { createDatabaseMetrics, createJobMetrics, createScheduleMetrics } from "./work.ts";
import { createKeepingMetrics } from "./keeping.ts";
import { createStateMetrics } from "./state.ts";
import { createEventLoopLag, createProcessFigures } from "./process.ts";
import { createResourceMetrics } from "./resources.ts";
import { createWaitingMetrics } from "./waiting.ts";
import { createCounter, type Labels, type Sample } from "./series.ts";

/** The kind of process that the figures come from, the second label of every series. `combined` runs all roles. */
export type MetricsSource = "http" | "jobs" | "scheduler" | "combined";

interface MetricsOptions {
  readonly app: string;
  readonly source: MetricsSource;
  readonly build: { readonly version: string; readonly revision: string };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The figures of one app in one process. They are plain numbers until a scrape writes them out. */
export function createMetrics({ app, source, build }: MetricsOptions) {
  const http = createHttpMetrics();
  const flows = createFlowMetrics();
  const { counters, samples: resourceSamples } = createResourceMetrics();
  const jobs = createJobMetrics();
  const waiting = createWaitingMetrics();
  const schedules = createScheduleMetrics();
  const database = createDatabaseMetrics();
  const keeping = createKeepingMetrics();
  const inspects = createInspectMetrics();
  const state = createStateMetrics();
  const lag = createEventLoopLag();
  const figures = createProcessFigures();

  const samples: Readonly<Record<FamilyName, () => readonly Sample[]>> = {
    ...http.samples,
    ...flows.samples,
    ...resourceSamples,
    ...jobs.samples,
    ...waiting.samples,
    ...schedules.samples,
    ...database.samples,
    database_file_bytes: () => keeping.store("fileBytes"),
    database_log_bytes: () => keeping.store("logBytes"),
    database_disk_free_bytes: () => keeping.store("freeBytes"),
    app_ready: state.ready,
    app_check_ready: state.checks,
    clock_trusted: state.clockTrusted,
    clock_jumps_total: state.clockJumps,
    backup_copied_timestamp_seconds: keeping.copies,
    ...inspects.samples,
    ...figures.samples,
    runtime_event_loop_lag_seconds: lag.samples,
    gatehouse_build_info: () => [{ labels: { version: build.version, revision: build.revision }, value: 1 }],
  };

  async function scrapeOnce(): Promise<string> {
    lag.start();
    await figures.read();
    await Promise.all([keeping.read(), state.read(), waiting.read()]);
    return writeExposition({ app, source }, (family) => samples[family]());
  }
  let scraping: Promise<string> | undefined;

  return {
    authFlows: flows.authFlows,
    authFlowDurations: flows.authFlowDurations,
    announceProviders: flows.announceProviders,
    forgottenProxy: http.forgottenProxy,
    watchHttp: http.watch,
    ...counters,
    jobs,
    waiting,
    schedules,
    database,
    keeping,
    inspects: inspects.counters,
    state,
    contentType,
    /** Writes the figures as text. A request during a scrape gets the text of that scrape, so that a flood costs one scrape at a time. */
    scrape(): Promise<string> {
      scraping ??= scrapeOnce().finally(() => {
        scraping = undefined;
      });
      return scraping;
    },
    close: lag.stop,
  };
}

/** What became of inspects. */
function createInspectMetrics() {
  const recorded = createCounter<Labels>(families.inspects_recorded_total.labels);
  const dropped = createCounter<{ reason: string }>(families.inspects_dropped_total.labels);
  // A rate over a counter sees its first step only where the zero before it was scraped.
  recorded.count({}, 0);
  for (const reason of ["busy", "unwritable"]) dropped.count({ reason }, 0);
  return {
    counters: {
      recorded: (by: number): void => recorded.count({}, by),
      dropped: (reason: "busy" | "unwritable", by: number): void => dropped.count({ reason }, by),
    },
    samples: { inspects_recorded_total: recorded.samples, inspects_dropped_total: dropped.samples },
  };
}
