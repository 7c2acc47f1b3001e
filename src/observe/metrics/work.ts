import type { AttemptEnd } from "../../core/job.ts";
import { families } from "./families.ts";
import { createDurations, type Sample } from "./series.ts";

/**
 * Keeps a row of counters for each name, at zero from its registration on: Prometheus sees the first step of a counter only after a zero.
 */
function createTallies<Column extends string>(columns: readonly Column[], labelName: string) {
  const rows = new Map<string, Map<Column, number>>();
  const register = (name: string): void => {
    if (!rows.has(name)) rows.set(name, new Map(columns.map((column) => [column, 0])));
  };
  return {
    register,
    /** Adds to a counter. A name that was not registered counts as `unknown`: stored jobs can come from another release. */
    add(name: string, column: Column, by = 1): void {
      const known = rows.has(name) ? name : "unknown";
      register(known);
      const row = rows.get(known);
      row?.set(column, (row.get(column) ?? 0) + by);
    },
    samples: (column: Column): readonly Sample[] =>
      [...rows].map(([name, row]) => ({ labels: { [labelName]: name }, value: row.get(column) ?? 0 })),
  };
}

export function createJobMetrics() {
  const tallies = createTallies(["enqueued", "processed", "failed", "retried", "archived", "inflight"], "name");
  return {
    register: tallies.register,
    samples: {
      queue_jobs_enqueued_total: () => tallies.samples("enqueued"),
      queue_jobs_processed_total: () => tallies.samples("processed"),
      queue_jobs_failed_total: () => tallies.samples("failed"),
      queue_jobs_retried_total: () => tallies.samples("retried"),
      queue_jobs_archived_total: () => tallies.samples("archived"),
      queue_jobs_inflight: () => tallies.samples("inflight"),
    },
    enqueued: (job: string): void => tallies.add(job, "enqueued"),
    started: (job: string): void => tallies.add(job, "inflight"),
    ended(job: string, end: AttemptEnd): void {
      tallies.add(job, "inflight", -1);
      if (end === "dropped") return;
      tallies.add(job, "processed");
      if (end === "done") return;
      tallies.add(job, "failed");
      if (end !== "failed") tallies.add(job, end);
    },
    /** Counts a job that became a dead letter without an attempt of this process. */
    buried: (job: string): void => tallies.add(job, "archived"),
  };
}

export function createScheduleMetrics() {
  const tallies = createTallies(["runs", "failures"], "schedule");
  return {
    register: tallies.register,
    samples: {
      scheduler_runs_total: () => tallies.samples("runs"),
      scheduler_failures_total: () => tallies.samples("failures"),
    },
    ended(schedule: string, ok: boolean): void {
      tallies.add(schedule, "runs");
      if (!ok) tallies.add(schedule, "failures");
    },
  };
}

/** Creates the metrics of the database. Every request calls them, so the cell of an operation is looked up once, beforehand. */
export function createDatabaseMetrics() {
  const operations = (["get", "all", "run", "batch"] as const).map((name) => {
    const durations = createDurations(families.database_operation_duration_seconds.bounds);
    const counts = { ok: 0, failed: 0 };
    return {
      name,
      counts,
      durations,
      ended(seconds: number, ok: boolean): void {
        if (ok) counts.ok += 1;
        else counts.failed += 1;
        durations.observe(seconds);
      },
    };
  });
  return {
    /** Returns the function to call when an operation has ended, with the time that its caller has waited. */
    operation(name: "get" | "all" | "run" | "batch"): (seconds: number, ok: boolean) => void {
      const found = operations.find((operation) => operation.name === name);
      if (found === undefined) throw new Error(`the database operation ${name} is not counted`);
      return found.ended;
    },
    samples: {
      database_operations_total: (): readonly Sample[] =>
        operations.flatMap(({ name, counts }) => [
          { labels: { operation: name, status: "ok" }, value: counts.ok },
          { labels: { operation: name, status: "failed" }, value: counts.failed },
        ]),
      database_operation_duration_seconds: (): readonly Sample[] =>
        operations.flatMap(({ name, durations }) => durations.samples({ operation: name })),
    },
  };
}
