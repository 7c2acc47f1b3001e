interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  /** The labels after `app` and `source`, which every series has. No label is `job` or `instance`: Prometheus sets these itself. */
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram, in seconds. */
  readonly bounds?: readonly number[];
}

const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const flowBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statementBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const lagBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** All metrics of the service. Tests hold MANUAL.md's table, the dashboard and the alert rules against this table. */
export const families = {
  http_requests_total: { type: "counter", labels: ["method", "status"], help: "HTTP requests answered" },
  http_requests_by_route_total: {
    type: "counter",
    labels: ["method", "route", "status"],
    help: "HTTP requests answered, by route pattern",
  },
  http_request_duration_seconds: {
    type: "histogram",
    labels: ["method", "route"],
    help: "Time from a request's arrival to its answer",
    bounds: requestBounds,
  },
  http_requests_inflight: { type: "gauge", labels: [], help: "HTTP requests without a complete answer" },
  http_forgotten_proxy_requests_total: {
    type: "counter",
    labels: [],
    help: "Requests of accounts by a proxy on this host that API_TRUSTED_PROXIES does not name",
  },
  auth_flows_total: {
    type: "counter",
    labels: ["flow", "status", "reason", "provider"],
    help: "Auth flows that ended, the reason of a refusal as its error code",
  },
  auth_flow_duration_seconds: {
    type: "histogram",
    labels: ["flow", "provider"],
    help: "Time that auth flows took",
    bounds: flowBounds,
  },
  cache_operations_total: {
    type: "counter",
    labels: ["name", "operation", "status"],
    help: "Operations on a cache",
  },
  storage_operations_total: {
    type: "counter",
    labels: ["name", "operation", "status"],
    help: "Operations on a storage disk",
  },
  events_publishes_total: { type: "counter", labels: ["topic", "status"], help: "Events published" },
  events_deliveries_total: {
    type: "counter",
    labels: ["topic", "status"],
    help: "Events handed to a subscriber",
  },
  mail_sends_total: { type: "counter", labels: ["driver", "status"], help: "Mails handed to the next hop" },
  mails_withheld_total: {
    type: "counter",
    labels: ["mail", "reason"],
    help: "Mails that were not sent: too many for one recipient, or to an address that was never proven",
  },
  webhook_deliveries_total: {
    type: "counter",
    labels: ["webhook", "outcome"],
    help: "Attempts to deliver a message to a webhook, and messages that were withheld from it",
  },
  queue_jobs_enqueued_total: { type: "counter", labels: ["name"], help: "Jobs accepted" },
  queue_jobs_processed_total: {
    type: "counter",
    labels: ["name"],
    help: "Attempts at a job that ended, done or failed",
  },
  queue_jobs_failed_total: { type: "counter", labels: ["name"], help: "Attempts at a job that failed" },
  queue_jobs_retried_total: { type: "counter", labels: ["name"], help: "Failed attempts after which there is another" },
  queue_jobs_archived_total: { type: "counter", labels: ["name"], help: "Jobs that became dead letters" },
  queue_jobs_inflight: { type: "gauge", labels: ["name"], help: "Jobs in hand" },
  scheduler_runs_total: { type: "counter", labels: ["schedule"], help: "Runs of a schedule that ended" },
  scheduler_failures_total: { type: "counter", labels: ["schedule"], help: "Runs of a schedule that failed" },
  database_operations_total: {
    type: "counter",
    labels: ["operation", "status"],
    help: "Calls of the database, waiting included",
  },
  database_operation_duration_seconds: {
    type: "histogram",
    labels: ["operation"],
    help: "Time that calls of the database took, waiting included",
    bounds: statementBounds,
  },
  database_file_bytes: { type: "gauge", labels: [], help: "The database's file (SQLite)" },
  database_log_bytes: { type: "gauge", labels: [], help: "Its write-ahead log (SQLite)" },
  database_disk_free_bytes: { type: "gauge", labels: [], help: "What is free where it lies (SQLite)" },
  app_ready: { type: "gauge", labels: [], help: "Whether readiness answers 200: 1, else 0" },
  clock_trusted: {
    type: "gauge",
    labels: [],
    help: "Whether this process deletes by age: 1 once it has seen the clock run evenly for an hour, else 0",
  },
  clock_jumps_total: {
    type: "counter",
    labels: ["seen"],
    help: "What made the clock run that hour anew: a jump, or a schedule's tick a day away",
  },
  backup_copied_timestamp_seconds: {
    type: "gauge",
    labels: ["kind"],
    help: "Up to when everything is on the disk of the backups, in epoch seconds",
  },
  inspects_recorded_total: { type: "counter", labels: [], help: "Inspects written down" },
  inspects_dropped_total: {
    type: "counter",
    labels: ["reason"],
    help: "Inspects that were not, for they came too fast or could not be written",
  },
  process_cpu_user_seconds_total: { type: "counter", labels: [], help: "Processor time in user mode" },
  process_cpu_system_seconds_total: { type: "counter", labels: [], help: "Processor time in system mode" },
  process_resident_memory_bytes: {
    type: "gauge",
    labels: [],
    help: "Resident memory, the mapped part of the database file included",
  },
  process_start_time_seconds: { type: "gauge", labels: [], help: "Start of the process, in epoch seconds" },
  process_open_fds: { type: "gauge", labels: [], help: "Open file descriptors (Linux)" },
  process_max_fds: { type: "gauge", labels: [], help: "File descriptors that may be open at once (Linux)" },
  runtime_heap_used_bytes: { type: "gauge", labels: [], help: "JavaScript heap in use" },
  runtime_event_loop_lag_seconds: {
    type: "histogram",
    labels: [],
    help: "How late a timer came that is due five times a second, from the first scrape on",
    bounds: lagBounds,
  },
  gatehouse_build_info: {
    type: "gauge",
    labels: ["version", "revision"],
    help: "Always 1; the build is in its labels",
  },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof families;
