import type { Clock } from "../core/clock.ts";
import { settle } from "../core/pace/deadline.ts";
import { AttemptFailed, type AttemptEnd, type JobHandlers, type WatchJob } from "../core/job.ts";
import type { ClaimedJob, JobSource, QueueMetrics } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";

export interface PerformerOptions {
  readonly source: JobSource;
  readonly handlers: JobHandlers;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
  readonly jobTimeoutMs: number;
  readonly metrics?: Pick<QueueMetrics, "started" | "ended">;
  readonly watch?: WatchJob | undefined;
}

/** The reason that a job's signal is aborted with when the worker stops. */
export class ShutDown extends Error {}
/** The reason that a job's signal is aborted with when another worker may have the job. */
class LeaseLost extends Error {}

/** How long an aborted handler may take to come to an end. */
const graceMs = 500;
const reportAttempts = 3;
const reportRestMs = 200;

/** Runs one claimed job: renews its lease, limits its time, records how it ended. Never rejects. */
export function createPerformer(options: PerformerOptions) {
  const { source, handlers, clock, log, leaseMs, jobTimeoutMs, metrics, watch } = options;

  /** Records how a job ended, in several attempts: a job whose end is not recorded runs again when its lease runs out. */
  async function report(fields: object, send: () => Promise<unknown>): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        if (attempt >= reportAttempts) {
          log.error("job outcome could not be recorded, its lease will run out", { ...fields, error });
          return "unknown";
        }
        await Bun.sleep(reportRestMs * attempt);
      }
    }
  }

  async function keepLease(job: ClaimedJob, abort: AbortController): Promise<void> {
    try {
      if (!(await source.extend(job.id, job.attempt, leaseMs))) abort.abort(new LeaseLost("the lease was lost"));
    } catch (error) {
      // The next turn of the interval tries again, before the lease runs out.
      log.warn("job lease could not be extended", { job: job.name, job_id: job.id, error });
    }
  }

  /** Runs the handler once. Returns undefined when the job is done, and otherwise the error that ended it. */
  async function attempt(job: ClaimedJob, abort: AbortController): Promise<Error | undefined> {
    const handler = handlers.get(job.name);
    if (handler === undefined) return new Error(`no handler is registered for the job "${job.name}"`);
    const overdue = new Error(`the job took longer than ${jobTimeoutMs} ms`);
    const timeout = setTimeout(() => abort.abort(overdue), jobTimeoutMs);
    const lease = setInterval(() => void keepLease(job, abort), Math.max(1, Math.floor(leaseMs / 3)));
    const { signal } = abort;
    try {
      await settle(
        handler(job.payload, { id: job.id, attempt: job.attempt, acceptedAt: job.acceptedAt, signal }),
        signal,
        graceMs,
      );
      return undefined;
    } catch (error) {
      const ended: unknown = signal.aborted ? signal.reason : error;
      return ended instanceof Error ? ended : new Error("the job rejected with no error", { cause: ended });
    } finally {
      clearTimeout(timeout);
      clearInterval(lease);
    }
  }

  async function perform(job: ClaimedJob, abort: AbortController): Promise<void> {
    metrics?.started(job.name);
    let end: AttemptEnd = "dropped";
    try {
      end = await (watch === undefined ? performed(job, abort) : watch(job, () => performed(job, abort)));
    } finally {
      metrics?.ended(job.name, end);
    }
  }

  async function performed(job: ClaimedJob, abort: AbortController): Promise<AttemptEnd> {
    const started = clock.now();
    const { id, name, attempt: number } = job;
    const failure = await attempt(job, abort);
    const fields = { job: name, job_id: id, attempt: number, duration_ms: clock.now() - started };
    if (failure === undefined) {
      const recorded = await report(fields, () => source.complete(id, number));
      if (recorded === false) log.warn("job done after its lease was lost, it may run again", fields);
      else log.info("job done", fields);
      return recorded === false ? "dropped" : "done";
    }
    if (failure instanceof LeaseLost) {
      log.warn("job lease lost, another worker may have it", fields);
      return "dropped";
    }
    if (failure instanceof ShutDown) {
      await report(fields, () => source.release(id, number));
      log.info("job handed back", fields);
      return "dropped";
    }
    const retry = failure instanceof AttemptFailed ? failure.retry : undefined;
    const outcome = await report(fields, () => source.fail(id, number, failure.message, retry));
    // A handler that knows when to try again has foreseen the failure: its sentence says more than a stack.
    const error = failure instanceof AttemptFailed ? failure.message : failure;
    const note = { ...fields, outcome, error };
    if (outcome === "dead") log.error("job failed for good", note);
    else log.warn("job failed", note);
    if (outcome === "lost") return "dropped";
    // A failure that could not be recorded counts as a retry, because the lease runs out and the job is run again.
    return outcome === "dead" ? "archived" : "retried";
  }

  return { perform };
}
