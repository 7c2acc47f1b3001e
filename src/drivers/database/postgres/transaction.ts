import type { ReservedSQL } from "bun";
import type { Statement } from "../index.ts";
import { CommitUnknown } from "./errors.ts";
import type { Pool } from "./pool.ts";
import type { createPositionalCache } from "./positional.ts";
import { convert, type Returned } from "./rows.ts";

/** What each statement has returned, or the index of the guard that undid them all. */
export type Outcome = readonly Returned[] | number;

interface TransactionOptions {
  readonly pool: Pool;
  readonly read: ReturnType<typeof createPositionalCache>;
}

/**
 * Applies the statements of one batch, all or none. They are sent together with the `begin` before them, so that a batch costs two
 * round trips and holds its locks for no longer than that. So a guard is looked at when what follows it has been run already, and may
 * have failed for that very reason: of a failure and a guard the first one counts.
 */
export function createTransactions({ pool, read }: TransactionOptions) {
  async function ask(connection: ReservedSQL, statements: readonly Statement[], durable: boolean): Promise<Outcome> {
    // Bound before anything is sent, because a parameter that is not given throws.
    const bound = statements.map(({ sql, params = {} }) => {
      const { text, bind } = read(sql);
      return { text, values: bind(params) };
    });
    const opening = [connection`begin`, ...(durable ? [] : [connection`set local synchronous_commit to off`])];
    const asked = bound.map(({ text, values }) => connection.unsafe<never[]>(text, values));
    for (const query of [...opening, ...asked]) query.execute();
    const settled = await pool.answered(Promise.all([Promise.all(opening), Promise.allSettled(asked)]));
    const results: Returned[] = [];
    for (const [index, result] of settled[1].entries()) {
      if (result.status === "rejected") throw result.reason;
      if (statements[index]?.guard === true && result.value.count === 0) return index;
      results.push(convert(result.value));
    }
    return results;
  }

  async function commit(connection: ReservedSQL): Promise<void> {
    let command: string | null;
    try {
      ({ command } = await pool.answered(connection`commit`));
    } catch (error) {
      throw new CommitUnknown(error);
    }
    if (command !== "COMMIT") throw new Error("the server has undone a batch instead of committing it");
  }

  return (statements: readonly Statement[], durable: boolean): Promise<Outcome> =>
    pool.hold(async (connection) => {
      let outcome: Outcome | undefined;
      try {
        outcome = await ask(connection, statements, durable);
      } finally {
        if (typeof outcome !== "object") await pool.answered(connection`rollback`);
      }
      if (typeof outcome === "object") await commit(connection);
      return outcome;
    });
}
