import { codeOf, CommitUnknown, leftAlone } from "./errors.ts";

const longestPauseMs = 50;

// Serialization failure, deadlock, lock not available, and a client that was too slow to go on: the batch has gone with its connection.
const conflicts: ReadonlySet<string> = new Set(["40001", "40P01", "55P03", leftAlone]);

/**
 * Unique and foreign keys are also checked against rows that another transaction has committed since the statement began, which its own
 * conditions have not seen. A second try sees them.
 */
const collisions: ReadonlySet<string> = new Set(["23505", "23503"]);

/** Whether a migration has changed a table under the prepared statement of a connection. The statement is prepared anew at its next use. */
const isStale = (error: unknown): boolean =>
  codeOf(error) === "0A000" && String(error).includes("cached plan must not change result type");

function mayTryAgain(error: unknown, tries: number): boolean {
  if (error instanceof CommitUnknown) return false;
  const code = codeOf(error);
  return conflicts.has(code) || isStale(error) || (tries === 1 && collisions.has(code));
}

/** Runs the work again while other transactions get in its way and undo it. Work that may have been committed is never repeated. */
export async function untilUndisturbed<T>(since: number, forMs: number, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLate = performance.now() - since >= forMs;
      if (isLate || !mayTryAgain(error, tries)) throw error;
    }
    // A random pause, so that two transactions that met once do not meet again at the same moment.
    await Bun.sleep(Math.random() * Math.min(2 ** tries, longestPauseMs));
  }
}
