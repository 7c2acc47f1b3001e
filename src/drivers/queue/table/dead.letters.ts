import { byOperator } from "../../../core/audit.ts";
import type { Clock } from "../../../core/clock.ts";
import { inSteps } from "../../../core/pace/steps.ts";
import type { Database, Statement } from "../../database/index.ts";
import { createDeadLetterRepository } from "./dead.letter.repository.ts";
import type { DeadJob, DeadLetters, RetryOfDead } from "../index.ts";

export interface DeadLettersOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How many attempts a retried job gets. */
  readonly maxAttempts: number;
  /** Returns a row that says who retried what, committed with the retry. Default: none. */
  readonly record?: (retry: RetryOfDead) => Statement;
  /** Wakes the workers of a job that is due again. */
  readonly wake?: (job: Pick<DeadJob, "app" | "queue">) => void;
}

/** The dead letters of all queues of the `database` driver, and of all apps on the database. */
export function createDeadLetters({ database, clock, maxAttempts, record, wake }: DeadLettersOptions): DeadLetters {
  const rows = createDeadLetterRepository(database);

  /** Resolves to how many of the jobs were still dead. */
  async function retry(jobs: Awaited<ReturnType<typeof rows.find>>, recorded: RetryOfDead): Promise<number> {
    if (jobs.length === 0) return 0;
    const ids = jobs.map(({ id }) => id);
    const revival = rows.retry(ids, { maxAttempts, now: clock.now() });
    const retried = await database.batch([revival, ...(record === undefined ? [] : [record(recorded)])]);
    if (!retried.applied) return 0;
    if (wake !== undefined) for (const job of jobs) wake(job);
    return retried.results[0]?.changes ?? 0;
  }

  return {
    list: ({ name, limit }) => rows.list(name, limit),
    async retry(id, by = byOperator) {
      const job = await rows.findOne(id);
      return job !== undefined && (await retry([job], { job: job.name, count: 1, by })) === 1;
    },
    retryAll(name, { by = byOperator, most = Number.POSITIVE_INFINITY } = {}) {
      const now = clock.now();
      let left = most;
      return inSteps(async (limit) => {
        const jobs = await rows.find(name, Math.min(limit, left), now);
        const retried = await retry(jobs, { job: name, count: jobs.length, by });
        left -= retried;
        return retried;
      });
    },
    buryForgotten: (since, signal) => inSteps((limit) => rows.burySome(since, limit, clock.now()), signal),
    prune: (before, signal) => inSteps((limit) => rows.deleteSome(before, limit), signal),
  };
}
