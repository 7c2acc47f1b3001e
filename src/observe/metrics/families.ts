// The labels of a family come after `app` and `source`, which every series has. No label is `job` or `instance`: Prometheus sets these itself.
const counter = <L extends string = never>(help: string, ...labels: readonly L[]) =>
  ({ type: "counter", labels, help }) as const;
const gauge = <L extends string = never>(help: string, ...labels: readonly L[]) =>
  ({ type: "gauge", labels, help }) as const;
/** `bounds` are the upper bounds of the buckets, in seconds. */
const histogram = <L extends string = never>(help: string, bounds: readonly number[], ...labels: readonly L[]) =>
  ({ type: "histogram", labels, help, bounds }) as const;

const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const flowBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statementBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const lagBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** All metrics of the service. Tests hold the manual's table, the dashboard and the alert rules against this table. */
export const families = {
  http_requests_total: counter("HTTP requests answered", "method", "status"),
  http_requests_by_route_total: counter("HTTP requests answered, by route pattern", "method", "route", "status"),
  http_request_duration_seconds: histogram(
    "Time from a request's arrival to its answer",
    requestBounds,
    "method",
    "route",
  ),
  http_requests_inflight: gauge("HTTP requests without a complete answer"),
  http_forgotten_proxy_requests_total: counter(
    "Requests of accounts by a proxy on this host that API_TRUSTED_PROXIES does not name",
  ),
  auth_flows_total: counter(
    "Auth flows that ended, the reason of a refusal as its error code",
    "flow",
    "status",
    "reason",
    "provider",
  ),
  auth_flow_duration_seconds: histogram("Time that auth flows took", flowBounds, "flow", "provider"),
  cache_operations_total: counter("Operations on a cache", "name", "operation", "status"),
  storage_operations_total: counter("Operations on a storage disk", "name", "operation", "status"),
  events_publishes_total: counter("Events published", "topic", "status"),
  events_deliveries_total: counter("Events handed to a subscriber", "topic", "status"),
  mail_sends_total: counter("Mails handed to the next hop", "driver", "status"),
  mails_withheld_total: counter(
    "Mails that were not sent: too many for one recipient, or to an address that was never proven",
    "mail",
    "reason",
  ),
  webhook_deliveries_total: counter(
    "Attempts to deliver a message to a webhook, and messages that were withheld from it",
    "webhook",
    "outcome",
  ),
  provider_acts_total: counter(
    "Grants to programs, refusals of them, waits of devices and sign-outs, by what came of them",
    "act",
    "what",
  ),
  hook_calls_total: counter("Questions to a hook, by what came of them", "hook", "point", "outcome"),
  queue_jobs_enqueued_total: counter("Jobs accepted", "name"),
  queue_jobs_processed_total: counter("Attempts at a job that ended, done or failed", "name"),
  queue_jobs_failed_total: counter("Attempts at a job that failed", "name"),
  queue_jobs_retried_total: counter("Failed attempts after which there is another", "name"),
  queue_jobs_archived_total: counter("Jobs that became dead letters", "name"),
  queue_jobs_inflight: gauge("Jobs in hand", "name"),
  queue_jobs_waiting: gauge("Jobs of this app that are due and in nobody's hand, up to 10000", "queue"),
  queue_oldest_job_seconds: gauge("How long the one of them that is due longest has waited, 0 without any", "queue"),
  scheduler_runs_total: counter("Runs of a schedule that ended", "schedule"),
  scheduler_failures_total: counter("Runs of a schedule that failed", "schedule"),
  database_operations_total: counter("Calls of the database, waiting included", "operation", "status"),
  database_operation_duration_seconds: histogram(
    "Time that calls of the database took, waiting included",
    statementBounds,
    "operation",
  ),
  database_file_bytes: gauge("The database's file (SQLite)"),
  database_log_bytes: gauge("Its write-ahead log (SQLite)"),
  database_disk_free_bytes: gauge("What is free where it lies (SQLite)"),
  app_ready: gauge("Whether readiness answers 200: 1, else 0"),
  app_check_ready: gauge("Whether a check of readiness passes: 1, else 0", "type", "name"),
  clock_trusted: gauge(
    "Whether this process deletes by age: 1 once it has seen the clock run evenly for an hour, else 0",
  ),
  clock_jumps_total: counter("What made the clock run that hour anew: a jump, or a schedule's tick a day away", "seen"),
  backup_copied_timestamp_seconds: gauge(
    "Up to when everything is on the disk of the backups, in epoch seconds",
    "kind",
  ),
  inspects_recorded_total: counter("Inspects written down"),
  inspects_dropped_total: counter("Inspects that were not, for they came too fast or could not be written", "reason"),
  process_cpu_user_seconds_total: counter("Processor time in user mode"),
  process_cpu_system_seconds_total: counter("Processor time in system mode"),
  process_resident_memory_bytes: gauge("Resident memory, the mapped part of the database file included"),
  process_start_time_seconds: gauge("Start of the process, in epoch seconds"),
  process_open_fds: gauge("Open file descriptors (Linux)"),
  process_max_fds: gauge("File descriptors that may be open at once (Linux)"),
  runtime_heap_used_bytes: gauge("JavaScript heap in use"),
  runtime_event_loop_lag_seconds: histogram(
    "How late a timer came that is due five times a second, from the first scrape on",
    lagBounds,
  ),
  gatehouse_build_info: gauge("Always 1; the build is in its labels", "version", "revision"),
} as const;

export type FamilyName = keyof typeof families;
