import type { Database as Connection } from "bun:sqlite";
import type { RunResult, Statement } from "../index.ts";
import { createStatementCache, noParams } from "./statements.ts";

type Results = readonly RunResult<never>[];

/** The result of each statement, or the index of the guard that undid them all. */
export type BatchOutcome = Results | number;

/** Applies the statements of one batch inside the transaction that is open. */
export function createBatchRunner(connection: Connection) {
  const prepare = createStatementCache(connection);
  const rollback = connection.prepare("rollback");
  const savepoint = connection.prepare("savepoint batch");
  const release = connection.prepare("release batch");
  const undo = connection.prepare("rollback to batch");

  function runStatement({ sql, params = noParams }: Statement): RunResult<never> {
    const statement = prepare(sql, params);
    if (!statement.reader) return { changes: statement.run(params).changes, rows: [] };
    const rows = statement.all(params);
    return { changes: rows.length, rows };
  }

  function runBatch(statements: readonly Statement[]): BatchOutcome {
    const results: RunResult<never>[] = [];
    for (const [index, statement] of statements.entries()) {
      const result = runStatement(statement);
      if (statement.guard === true && result.changes === 0) return index;
      results.push(result);
    }
    return results;
  }

  function endBatch(keep: boolean): void {
    // A full or failing disk can end the whole transaction, savepoints included.
    if (!connection.inTransaction) return;
    try {
      if (!keep) undo.run();
      release.run();
    } catch (error) {
      rollback.run();
      throw error;
    }
  }

  return {
    /** Applies all statements or none. */
    apply(statements: readonly Statement[]): BatchOutcome {
      // A single statement is atomic by itself, and a single guard that changed nothing leaves nothing to undo.
      if (statements.length === 1) return runBatch(statements);
      savepoint.run();
      let outcome: BatchOutcome | undefined;
      try {
        outcome = runBatch(statements);
      } finally {
        endBatch(typeof outcome === "object");
      }
      return outcome;
    },

    /** Applies all statements; undefined where some of them may be applied and others not. Then the whole transaction has to be undone. */
    attempt(statements: readonly Statement[]): BatchOutcome | undefined {
      try {
        const outcome = runBatch(statements);
        return typeof outcome === "number" && outcome > 0 ? undefined : outcome;
      } catch {
        return undefined;
      }
    },
  };
}
