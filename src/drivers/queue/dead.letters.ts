import { byOperator } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Database, Statement } from "../database/index.ts";
import { createDeadLetterRepository } from "./dead.letter.repository.ts";
import type { DeadLetters, RetryOfDead } from "./index.ts";

export interface DeadLettersOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** What a retried job gets anew. */
  readonly maxAttempts: number;
  /** A row that says who retried what, committed with the retry. Default: none. */
  readonly record?: (retry: RetryOfDead) => Statement;
}

/** The dead letters of all queues of the `database` driver, and of all apps on the database. */
export function createDeadLetters({ database, clock, maxAttempts, record }: DeadLettersOptions): DeadLetters {
  const rows = createDeadLetterRepository(database);

  /** Resolves to how many of the jobs were still dead. */
  async function retry(ids: readonly string[], recorded: RetryOfDead): Promise<number> {
    if (ids.length === 0) return 0;
    const revival = rows.retry(ids, { maxAttempts, now: clock.now() });
    const retried = await database.batch([revival, ...(record === undefined ? [] : [record(recorded)])]);
    return retried.applied ? (retried.results[0]?.changes ?? 0) : 0;
  }

  return {
    list: ({ name, limit }) => rows.list(name, limit),
    async retry(id, by = byOperator) {
      const job = await rows.findOne(id);
      return job !== undefined && (await retry([job.id], { job: job.name, count: 1, by })) === 1;
    },
    retryAll(name, { by = byOperator, most = Number.POSITIVE_INFINITY } = {}) {
      const now = clock.now();
      let left = most;
      return inSteps(async (limit) => {
        const ids = (await rows.find(name, Math.min(limit, left), now)).map(({ id }) => id);
        const retried = await retry(ids, { job: name, count: ids.length, by });
        left -= retried;
        return retried;
      });
    },
    buryForgotten: (since, signal) => inSteps((limit) => rows.burySome(since, limit, clock.now()), signal),
    prune: (before, signal) => inSteps((limit) => rows.deleteSome(before, limit), signal),
  };
}
