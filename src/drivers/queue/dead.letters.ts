import type { Clock } from "../../core/clock.ts";
import { inSteps } from "../../core/steps.ts";
import type { Database } from "../database/index.ts";
import { createDeadLetterRepository } from "./dead.letter.repository.ts";
import type { DeadLetters } from "./index.ts";

export interface DeadLettersOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** What a retried job gets anew. */
  readonly maxAttempts: number;
}

/** The dead letters of all queues of the `database` driver, and of all apps on the database. */
export function createDeadLetters({ database, clock, maxAttempts }: DeadLettersOptions): DeadLetters {
  const rows = createDeadLetterRepository(database);

  return {
    list: ({ name, limit }) => rows.list(name, limit),
    retry: (id) => rows.retry(id, { maxAttempts, now: clock.now() }),
    retryAll(name) {
      const retry = { maxAttempts, now: clock.now() };
      return inSteps((limit) => rows.retrySome(name, limit, retry));
    },
    buryForgotten(overdueMs, signal) {
      const now = clock.now();
      return inSteps((limit) => rows.burySome(now - overdueMs, limit, now), signal);
    },
    prune(olderThanMs, signal) {
      const before = clock.now() - olderThanMs;
      return inSteps((limit) => rows.deleteSome(before, limit), signal);
    },
  };
}
