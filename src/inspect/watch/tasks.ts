import { AppError } from "../../core/errors.ts";
import type { AttemptEnd, WatchJob } from "../../core/job.ts";
import type { WatchRun } from "../../core/module.ts";
import type { Timeline } from "../../observe/timeline.ts";
import { isTraceId, newTrace } from "../../observe/trace.ts";
import type { Recorder } from "../record/recorder.ts";

// Work other than requests. Each piece is recorded as a whole, with its outcome.

/** Records a job, in the trace of the work that enqueued it. */
export const watchJobs =
  (recorder: Recorder, timeline: Timeline): WatchJob =>
  ({ id, name, attempt, payload, traceId }, run) => {
    const userId = payload["user_id"];
    const work = (): Promise<AttemptEnd> => {
      if (typeof userId === "string") timeline.concerns(userId);
      return run();
    };
    const trace = traceId !== undefined && isTraceId(traceId) ? () => newTrace(traceId) : undefined;
    const labels = { job_id: id, attempt };
    return recorder.record("jobs", trace, work, (result) => {
      const end = "value" in result ? result.value : "failed";
      const failed = end !== "done" && end !== "dropped";
      return { name, status: end, failed, reason: end === "done" ? undefined : `job_${end}`, labels };
    });
  };

export const watchRuns =
  (recorder: Recorder): WatchRun =>
  (name, run) =>
    recorder.record("scheduler", undefined, run, (result) => {
      const ok = "value" in result && result.value;
      const reason = ok ? undefined : "schedule_failed";
      return { name, status: ok ? "done" : "failed", failed: !ok, reason, labels: {} };
    });

/** Records a command without its arguments, which may hold a secret. */
export const watchCommands =
  (recorder: Recorder) =>
  <T>(name: string, work: () => Promise<T>, isFailure: (value: T) => boolean = () => false): Promise<T> =>
    recorder.record("cli", undefined, work, (result) => {
      const failed = "error" in result || isFailure(result.value);
      const code = "error" in result && result.error instanceof AppError ? result.error.reason : "command_failed";
      return { name, status: failed ? "failed" : "done", failed, reason: failed ? code : undefined, labels: {} };
    });
