import { byOperator, type By } from "../../../core/audit.ts";
import type { Clock, Millis } from "../../../core/clock.ts";
import { inSteps } from "../../../core/pace/steps.ts";
import type { Database, Statement } from "../../database/index.ts";
import { createDeadLetterRepository, type DeadJob } from "./dead.letter.repository.ts";

/** An act that makes dead letters due again. */
export interface RetryOfDead {
  /** The name of the job; undefined for jobs of all names. */
  readonly job: string | undefined;
  readonly count: number;
  readonly by: By;
}

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

export type DeadLetters = ReturnType<typeof createDeadLetters>;

/** Acts of an operator on dead jobs, in all queues of the `database` driver and of all apps on the database. */
export function createDeadLetters({ database, clock, maxAttempts, record, wake }: DeadLettersOptions) {
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
    /** Returns dead jobs, the last failed first. */
    list: ({ name, limit }: { readonly name?: string | undefined; readonly limit: number }) => rows.list(name, limit),
    /** Makes the job due at once, with all its attempts and all its time again. False when there is no dead job of that id. */
    async retry(id: string, by: By = byOperator): Promise<boolean> {
      const job = await rows.findOne(id);
      return job !== undefined && (await retry([job], { job: job.name, count: 1, by })) === 1;
    },
    /** Retries every dead job, or those of that name, at most `most`. Resolves to how many there were. */
    retryAll(
      name?: string,
      { by = byOperator, most = Number.POSITIVE_INFINITY }: { readonly by?: By; readonly most?: number } = {},
    ): Promise<number> {
      const now = clock.now();
      let left = most;
      return inSteps(async (limit) => {
        const jobs = await rows.find(name, Math.min(limit, left), now);
        const retried = await retry(jobs, { job: name, count: jobs.length, by });
        left -= retried;
        return retried;
      });
    },
    /** Makes dead letters of jobs that have been due since `since` and that no worker takes. Resolves to how many there were. */
    buryForgotten: (since: Millis, signal?: AbortSignal) =>
      inSteps((limit) => rows.burySome(since, limit, clock.now()), signal),
    /** Deletes the dead jobs that failed before `before`. Resolves to how many there were. */
    prune: (before: Millis, signal?: AbortSignal) => inSteps((limit) => rows.deleteSome(before, limit), signal),
  };
}
