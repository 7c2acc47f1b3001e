import type { Clock } from "../../core/clock.ts";
import type { Database } from "../database/index.ts";
import { createDeadLetterRepository } from "./dead.letter.repository.ts";
import type { DeadLetters } from "./index.ts";

export interface DeadLettersOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** What a retried job gets anew. */
  readonly maxAttempts: number;
}

const pauseMs = 2;
const maxSteps = 100_000;

/** The dead letters of all queues of the `database` driver. */
export function createDeadLetters({ database, clock, maxAttempts }: DeadLettersOptions): DeadLetters {
  const rows = createDeadLetterRepository(database);

  /** In small batches with a pause between, so that no request waits for it. */
  async function drain(
    step: () => Promise<{ changed: number; more: boolean }>,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let total = 0;
    for (let steps = 0; steps < maxSteps && signal?.aborted !== true; steps += 1) {
      const { changed, more } = await step();
      total += changed;
      if (!more) break;
      await Bun.sleep(pauseMs);
    }
    return total;
  }

  return {
    list: ({ name, limit }) => rows.list(name, limit),
    retry: (id) => rows.retry(id, { maxAttempts, now: clock.now() }),
    retryAll(name) {
      const retry = { maxAttempts, now: clock.now() };
      return drain(() => rows.retryBatch(name, retry), undefined);
    },
    prune(olderThanMs, signal) {
      const before = clock.now() - olderThanMs;
      return drain(() => rows.pruneBatch(before), signal);
    },
  };
}
