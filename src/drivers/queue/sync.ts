import { minute, type Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { settle } from "../../core/pace/deadline.ts";
import type { AttemptEnd, Job, JobHandlers, WatchJob } from "../../core/job.ts";
import type { Queue, QueueLog, QueueMetrics } from "./index.ts";
import { encodeJob } from "./payload.ts";

export interface SyncQueueOptions {
  readonly clock: Clock;
  /** Called at the time of use: handlers are wired after the queue that their services need. */
  readonly handlers: () => JobHandlers;
  readonly log: QueueLog;
  readonly metrics?: QueueMetrics | undefined;
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly watch?: WatchJob | undefined;
}

const graceMs = 500;

/**
 * Runs each job before the commit that asks for it resolves: for tests and for trying things out, without a worker. A delay is not waited
 * for. There is no retry and no dead letter: a job that fails is logged and gone, and the caller is not told, because the caller's rows are
 * committed and an error would say that they are not.
 */
export function createSyncQueue(options: SyncQueueOptions): Queue {
  const { clock, handlers, log, metrics, name = "default", timeoutMs = minute, watch } = options;

  async function perform(job: Job): Promise<void> {
    const id = newId();
    if (watch === undefined) await run(job, id);
    else await watch({ ...job, id, attempt: 1 }, () => run(job, id));
  }

  async function run(job: Job, id: string): Promise<AttemptEnd> {
    const handler = handlers().get(job.name);
    if (handler === undefined) {
      log.error("job has no handler", { job: job.name, job_id: id, queue: name });
      return "failed";
    }
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
    const { signal } = timeout;
    metrics?.started(job.name);
    try {
      await settle(handler({ ...job.payload }, { id, attempt: 1, acceptedAt: clock.now(), signal }), signal, graceMs);
      metrics?.ended(job.name, "done");
      return "done";
    } catch (error) {
      metrics?.ended(job.name, "failed");
      log.error("job failed", { job: job.name, job_id: id, queue: name, attempt: 1, error });
      return "failed";
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    driver: "sync",
    name,
    accept(jobs) {
      for (const job of jobs) encodeJob(job);
      return {
        statements: [],
        async deliver() {
          for (const job of jobs) await perform(job);
        },
      };
    },
    // Jobs run in this process: there is nothing else that must answer.
    async ping() {},
  };
}
