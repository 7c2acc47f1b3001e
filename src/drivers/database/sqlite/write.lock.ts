import type { Database as Connection } from "bun:sqlite";
import { second } from "../../../core/clock.ts";
import { DatabaseUnavailable } from "../index.ts";
import { isBusy } from "./errors.ts";

const longestWaitMs = second;
const pauseMs = 20;

/**
 * Makes a check that takes the write lock and gives it back in one turn of the event loop, and changes nothing meanwhile. Another process's
 * commit holds the lock for a moment, so a refusal counts only after a second.
 */
export function createWriteLockCheck(connection: Connection, name: string, translate: (error: unknown) => unknown) {
  const begin = connection.prepare("begin immediate");
  const rollback = connection.prepare("rollback");

  /** Returns false where another connection holds the lock. */
  function takeLock(): boolean {
    try {
      begin.run();
      rollback.run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw translate(error);
    }
  }

  return async (): Promise<void> => {
    const since = performance.now();
    while (!takeLock()) {
      if (performance.now() - since >= longestWaitMs)
        throw new DatabaseUnavailable(
          `database "${name}": another process has held the write lock for ${longestWaitMs} ms`,
          undefined,
        );
      await Bun.sleep(pauseMs);
    }
  };
}
