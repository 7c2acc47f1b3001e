import type { ErrorCode, ExchangeReason } from "../core/errors.ts";
import type { Outcome } from "../core/outcome.ts";
import { contentType, writeExposition } from "./metrics.exposition.ts";
import { families, type FamilyName } from "./metrics.families.ts";
import { createDatabaseMetrics, createJobMetrics, createScheduleMetrics } from "./metrics.work.ts";
import { createKeepingMetrics } from "./metrics.keeping.ts";
import { createStateMetrics } from "./metrics.state.ts";
import { createEventLoopLag, readProcess } from "./metrics.process.ts";
import {
  createCounter,
  createDurations,
  createHistogram,
  type Durations,
  type Labels,
  type Sample,
} from "./metrics.series.ts";

/** The kind of process that the figures come from, the second label of every series. `combined` runs all roles. */
export type MetricsSource = "http" | "jobs" | "scheduler" | "combined";

const authFlowNames = [
  "register",
  "login",
  "login_verify",
  "logout",
  "logout_all",
  "refresh",
  "session_revoke",
  "profile",
  "change_password",
  "reauthenticate",
  "account_export",
  "account_delete",
  "password_reset_request",
  "password_reset_inspect",
  "password_reset_confirm",
  "email_login_request",
  "email_login_confirm",
  "email_verification_request",
  "email_verification_confirm",
  "email_verification_reject",
  "email_change_undo",
  "invitation_accept",
  "totp_setup",
  "totp_confirm",
  "totp_remove",
  "recovery_codes",
  "take_back_void",
  "passkey_login",
  "passkey_options",
  "passkey_add",
  "passkey_rename",
  "passkey_remove",
] as const;
/** The flows of signing in through a provider; each provider has its own count. */
const providerFlowNames = ["oauth_start", "oauth_sign_in", "oauth_link", "identity_unlink"] as const;
export type ProviderFlow = (typeof providerFlowNames)[number];
export type AuthFlow = (typeof authFlowNames)[number] | ProviderFlow;
/**
 * The name of a configured provider. `local` means the accounts of this service. `unknown` means a request that names no provider, or none
 * of ours. No provider has either name.
 */
export type AuthProvider = string;
/** Why a flow failed; `none` where its status is ok. */
export type AuthReason = ErrorCode | ExchangeReason | "none";

type AuthFlowLabels = { flow: AuthFlow; status: Outcome; reason: AuthReason; provider: AuthProvider };
/** `name` is the name of the cache or disk. */
type ResourceLabels = { name: string; operation: string; status: Outcome };
type TopicLabels = { topic: string; status: Outcome };

export interface RouteFigures {
  readonly method: string;
  /** The pattern of the route, never the path of a request. */
  readonly route: string;
  /** How many answers had each status; the status is the index. Most entries are zeros. */
  readonly answers: readonly number[];
  readonly durations: Durations;
}

/** The counts of the HTTP server, read by a scrape. */
export interface HttpFigures {
  routes(): readonly RouteFigures[];
  inflight(): number;
}

interface MetricsOptions {
  readonly app: string;
  readonly source: MetricsSource;
  readonly build: { readonly version: string; readonly revision: string };
}

export type Metrics = ReturnType<typeof createMetrics>;

export const createRequestDurations = (): Durations => createDurations(families.http_request_duration_seconds.bounds);

const plain = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: {}, value }]);

/** Returns the statuses that were answered, with their counts. */
const occurring = (answers: readonly number[]): [status: number, count: number][] =>
  [...answers.entries()].filter(([, count]) => count > 0);

/** Creates the metrics of one app in one process. They are plain numbers until a scrape writes them out. */
export function createMetrics({ app, source, build }: MetricsOptions) {
  const authFlows = createCounter<AuthFlowLabels>(families.auth_flows_total.labels);
  const authFlowDurations = createHistogram<Pick<AuthFlowLabels, "flow" | "provider">>(
    families.auth_flow_duration_seconds.labels,
    families.auth_flow_duration_seconds.bounds,
  );
  const forgottenProxies = createCounter<Labels>(families.http_forgotten_proxy_requests_total.labels);
  const cacheOperations = createCounter<ResourceLabels>(families.cache_operations_total.labels);
  const storageOperations = createCounter<ResourceLabels>(families.storage_operations_total.labels);
  const eventsPublishes = createCounter<TopicLabels>(families.events_publishes_total.labels);
  const eventsDeliveries = createCounter<TopicLabels>(families.events_deliveries_total.labels);
  const mailSends = createCounter<{ driver: string; status: Outcome }>(families.mail_sends_total.labels);
  const mailsWithheld = createCounter<{ mail: string; reason: string }>(families.mails_withheld_total.labels);
  const webhookDeliveries = createCounter<{ webhook: string; outcome: string }>(
    families.webhook_deliveries_total.labels,
  );
  const inspectsRecorded = createCounter<Labels>(families.inspects_recorded_total.labels);
  const inspectsDropped = createCounter<{ reason: string }>(families.inspects_dropped_total.labels);
  const jobs = createJobMetrics();
  const schedules = createScheduleMetrics();
  const database = createDatabaseMetrics();
  const keeping = createKeepingMetrics();
  const state = createStateMetrics();
  const lag = createEventLoopLag();
  // Prometheus sees the first step of a counter only where the zero before it was scraped.
  inspectsRecorded.count({}, 0);
  forgottenProxies.count({}, 0);
  for (const reason of ["busy", "unwritable"]) inspectsDropped.count({ reason }, 0);
  for (const flow of authFlowNames) authFlows.count({ flow, status: "ok", reason: "none", provider: "local" }, 0);
  let http: HttpFigures = { routes: () => [], inflight: () => 0 };
  let figures: Awaited<ReturnType<typeof readProcess>> | undefined;

  const samples: Readonly<Record<FamilyName, () => readonly Sample[]>> = {
    http_requests_total: () => byStatus(http.routes()),
    http_requests_by_route_total: () =>
      http
        .routes()
        .flatMap(({ method, route, answers }) =>
          occurring(answers).map(([status, value]) => ({ labels: { method, route, status: String(status) }, value })),
        ),
    http_request_duration_seconds: () =>
      http.routes().flatMap(({ method, route, durations }) => durations.samples({ method, route })),
    http_requests_inflight: () => plain(http.inflight()),
    http_forgotten_proxy_requests_total: forgottenProxies.samples,
    auth_flows_total: authFlows.samples,
    auth_flow_duration_seconds: authFlowDurations.samples,
    cache_operations_total: cacheOperations.samples,
    storage_operations_total: storageOperations.samples,
    events_publishes_total: eventsPublishes.samples,
    events_deliveries_total: eventsDeliveries.samples,
    mail_sends_total: mailSends.samples,
    mails_withheld_total: mailsWithheld.samples,
    webhook_deliveries_total: webhookDeliveries.samples,
    queue_jobs_enqueued_total: () => jobs.samples("enqueued"),
    queue_jobs_processed_total: () => jobs.samples("processed"),
    queue_jobs_failed_total: () => jobs.samples("failed"),
    queue_jobs_retried_total: () => jobs.samples("retried"),
    queue_jobs_archived_total: () => jobs.samples("archived"),
    queue_jobs_inflight: () => jobs.samples("inflight"),
    scheduler_runs_total: () => schedules.samples("runs"),
    scheduler_failures_total: () => schedules.samples("failures"),
    database_operations_total: database.operations,
    database_operation_duration_seconds: database.durations,
    database_file_bytes: () => keeping.store("fileBytes"),
    database_log_bytes: () => keeping.store("logBytes"),
    database_disk_free_bytes: () => keeping.store("freeBytes"),
    app_ready: state.ready,
    clock_trusted: state.clockTrusted,
    clock_jumps_total: state.clockJumps,
    backup_copied_timestamp_seconds: keeping.copies,
    inspects_recorded_total: inspectsRecorded.samples,
    inspects_dropped_total: inspectsDropped.samples,
    process_cpu_user_seconds_total: () => plain(figures?.cpuUserSeconds),
    process_cpu_system_seconds_total: () => plain(figures?.cpuSystemSeconds),
    process_resident_memory_bytes: () => plain(figures?.residentBytes),
    process_start_time_seconds: () => plain(figures?.startedAtSeconds),
    process_open_fds: () => plain(figures?.openFds),
    process_max_fds: () => plain(figures?.maxFds),
    runtime_heap_used_bytes: () => plain(figures?.heapUsedBytes),
    runtime_event_loop_lag_seconds: lag.samples,
    gatehouse_build_info: () => [{ labels: { version: build.version, revision: build.revision }, value: 1 }],
  };

  async function scrapeOnce(): Promise<string> {
    lag.start();
    figures = await readProcess();
    await Promise.all([keeping.read(), state.read()]);
    return writeExposition({ app, source }, (family) => samples[family]());
  }
  let scraping: Promise<string> | undefined;

  return {
    authFlows,
    authFlowDurations,
    forgottenProxy: (): void => forgottenProxies.count({}),
    cacheOperations,
    storageOperations,
    eventsPublishes,
    eventsDeliveries,
    mailSends,
    mailsWithheld,
    webhookDeliveries,
    jobs,
    schedules,
    database,
    keeping,
    state,
    inspects: {
      recorded: (by: number): void => inspectsRecorded.count({}, by),
      dropped: (reason: "busy" | "unwritable", by: number): void => inspectsDropped.count({ reason }, by),
    },
    /** Starts the flows of the providers in use at zero. */
    announceProviders(providers: readonly AuthProvider[]): void {
      for (const provider of providers) {
        for (const flow of providerFlowNames) authFlows.count({ flow, status: "ok", reason: "none", provider }, 0);
      }
    },
    watchHttp(watched: HttpFigures): void {
      http = watched;
    },
    contentType,
    /** Resolves to the figures as text. A call during a scrape gets the text of that scrape, so that a flood costs one scrape at a time. */
    scrape(): Promise<string> {
      scraping ??= scrapeOnce().finally(() => {
        scraping = undefined;
      });
      return scraping;
    },
    close: lag.stop,
  };
}

function byStatus(routes: readonly RouteFigures[]): readonly Sample[] {
  const totals = createCounter<{ method: string; status: string }>(families.http_requests_total.labels);
  for (const { method, answers } of routes) {
    for (const [status, count] of occurring(answers)) totals.count({ method, status: String(status) }, count);
  }
  return totals.samples();
}
