import { type Clock, minute, second } from "../core/clock.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { JobHandlers, WatchJob } from "../core/job.ts";
import type { ClaimedJob, JobSource, QueueMetrics } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";
import { createPause } from "../core/pace/pause.ts";
import { createPerformer, ShutDown } from "./performer.ts";
import type { Slots } from "./slots.ts";

export interface ConsumerOptions {
  readonly source: JobSource;
  readonly handlers: JobHandlers;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the jobs of a killed worker wait before another worker can have them. */
  readonly leaseMs?: number;
  /** How long an idle worker rests before it asks for jobs again, where its queue does not say; `wake` ends the rest early. */
  readonly pollMs?: number;
  readonly jobTimeoutMs?: number;
  readonly metrics?: Pick<QueueMetrics, "started" | "ended">;
  readonly watch?: WatchJob | undefined;
}

const maxRestMs = 30 * second;
const handBackMs = 2 * second;

/** Runs the jobs of one queue. While the queue fails it is asked less and less often; consumers of other queues go on. */
export function createConsumer(options: ConsumerOptions) {
  const { source, slots, log, leaseMs = minute, pollMs = second, jobTimeoutMs = 5 * minute } = options;
  const performer = createPerformer({ ...options, leaseMs, jobTimeoutMs });
  const inHand = new Map<Promise<void>, AbortController>();
  const pause = createPause();
  let loop: Promise<void> | undefined;
  let stopping = false;

  function begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const done = performer.perform(job, abort).finally(() => {
      inHand.delete(done);
      slots.give(1);
      pause.end();
    });
    inHand.set(done, abort);
  }

  /** Begins as many jobs as there are places. Resolves to whether that was all there is to do. */
  async function fill(free: number): Promise<boolean> {
    let begun = 0;
    try {
      const jobs = await source.claim(free, leaseMs);
      if (stopping) await Promise.all(jobs.map((job) => source.release(job.id, job.attempt)));
      else {
        for (const job of jobs) begin(job);
        begun = jobs.length;
      }
      return begun < free && !stopping;
    } finally {
      slots.give(free - begun);
    }
  }

  /** How long to rest before the next claim. */
  async function claim(failures: number): Promise<{ restMs: number; failures: number }> {
    const free = slots.take(pause.end);
    if (free === 0) return { restMs: pollMs, failures };
    try {
      const restMs = (await fill(free)) ? await source.restMs?.(pollMs) : undefined;
      return { restMs: restMs ?? pollMs, failures: 0 };
    } catch (error) {
      log.error("jobs could not be claimed", { error, failures: failures + 1 });
      return { restMs: Math.min(maxRestMs, pollMs * 2 ** Math.min(failures, 10)), failures: failures + 1 };
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      const outcome = await claim(failures);
      failures = outcome.failures;
      if (stopping) return;
      // A job that ended or a wake cuts the rest short, but not while the queue fails: otherwise it would be asked in a tight loop.
      if (failures > 0) await pause.full(outcome.restMs);
      else await pause.rest(outcome.restMs);
    }
  }

  return {
    start(): void {
      if (loop !== undefined || stopping) throw new Error("a worker starts once");
      source.listen?.(pause.end);
      loop = run();
    },

    /** Ends a rest early, because jobs were enqueued in this process. */
    wake: pause.end,

    /**
     * Claims no more jobs, lets those in hand end until the deadline, then aborts the rest and hands them back. Resolves at most about two
     * seconds after the deadline.
     */
    async stop(deadlineMs: number): Promise<void> {
      stopping = true;
      pause.cancel();
      const ended = Promise.resolve(loop).then(() => Promise.all(inHand.keys()));
      if (await endsWithin(ended, deadlineMs)) return;
      log.warn("worker deadline reached, jobs are handed back", { jobs: inHand.size });
      for (const abort of inHand.values()) abort.abort(new ShutDown());
      if (!(await endsWithin(ended, handBackMs)))
        log.error("jobs could not be handed back, their leases will run out", { jobs: inHand.size });
    },
  };
}
