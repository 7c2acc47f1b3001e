import type { Database, Statement } from "../index.ts";
import { MigrationError } from "../migration.ts";

/** Any number that no other lock of the database uses. */
const lockKey = 4_715_302_811;
const pauseMs = 250;
const mostPauses = 240;

// The lock lasts until the end of the transaction, however that ends: a runner that is killed leaves it to the next.
const takeLock: Statement = {
  sql: `select 1 as taken where pg_try_advisory_xact_lock(${lockKey})`,
  guard: true,
};

/**
 * Applies the statements of one runner at a time. SQLite gives a batch the whole file anyway. On PostgreSQL a batch waits for another's
 * tables and rows no longer than a request does, and so two would fail: a lock keeps them apart, for which this function waits a minute.
 * False when a guard among the statements has undone them.
 */
export async function applyInTurn(database: Database, statements: readonly Statement[]): Promise<boolean> {
  if (database.dialect === "sqlite") return (await database.batch(statements)).applied;
  for (let pauses = 0; pauses < mostPauses; pauses += 1) {
    const outcome = await database.batch([takeLock, ...statements]);
    if (outcome.applied) return true;
    if (outcome.failedGuard > 0) return false;
    await Bun.sleep(pauseMs);
  }
  throw new MigrationError(
    "another runner has been changing the schema for a minute: wait until it has ended, look at the status, try again",
  );
}
