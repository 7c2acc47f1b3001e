import type { ReservedSQL } from "bun";
import type { Statement } from "../index.ts";
import { codeOf, CommitUnknown, isAnswer, leftAlone } from "./errors.ts";
import type { Pool } from "./pool.ts";
import type { createPositionalCache } from "./positional.ts";
import { convert, type Returned } from "./rows.ts";

/** The results of all statements, or the index of the guard that undid them. */
export type Outcome = readonly Returned[] | number;

/**
 * Applies the statements of one batch, all or none. They are sent together with the `begin` before them, so that a batch costs two round
 * trips and holds its locks no longer than that. A guard is therefore checked after the statements behind it have run, and they may have
 * failed for that very reason: where both a statement failed and a guard did not hold, the first of the two counts.
 */
export function createTransactions(pool: Pool, read: ReturnType<typeof createPositionalCache>) {
  async function ask(connection: ReservedSQL, statements: readonly Statement[], durable: boolean): Promise<Outcome> {
    // Values are bound before anything is sent, because a parameter that is not given, or not named, throws.
    const bound = statements.map(({ sql, params = {} }) => {
      const { text, bind } = read(sql, params);
      return { text, values: bind(params) };
    });
    // A query is sent when it is first awaited: all of these are sent in one turn, and in this order.
    const opened = Promise.all(pool.begin(connection, durable));
    const asked = Promise.allSettled(bound.map(({ text, values }) => connection.unsafe<never[]>(text, values)));
    const [, settled] = await pool.answered(Promise.all([opened, asked]));
    const results: Returned[] = [];
    for (const [index, result] of settled.entries()) {
      if (result.status === "rejected") throw result.reason;
      if (statements[index]?.guard === true && result.value.count === 0) return index;
      results.push(convert(result.value));
    }
    return results;
  }

  async function commit(connection: ReservedSQL): Promise<void> {
    const answer = await pool.answered(connection<never[]>`commit`).catch((error: unknown) => {
      // The server checks for a transaction left alone before it reads what has come: with this error the commit was not made.
      throw codeOf(error) === leftAlone ? error : new CommitUnknown(error);
    });
    if (answer.command !== "COMMIT") throw new Error("the server has undone a batch instead of committing it");
  }

  return (statements: readonly Statement[], durable: boolean): Promise<Outcome> =>
    pool.hold(async (connection) => {
      const outcome = await ask(connection, statements, durable).catch(async (error: unknown) => {
        // A connection that sends no more answers is closed in the middle of the transaction, which undoes the batch as well.
        if (isAnswer(error)) await pool.answered(connection`rollback`);
        throw error;
      });
      if (typeof outcome === "number") await pool.answered(connection`rollback`);
      else await commit(connection);
      return outcome;
    });
}
