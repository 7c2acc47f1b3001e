import type { ReservedSQL } from "bun";
import { endsWithin } from "../../../core/pace/deadline.ts";
import type { PostgresAddress } from "../../../core/address/postgres.url.ts";
import { DatabaseUnavailable } from "../index.ts";
import { createClient } from "../postgres/client.ts";
import { translate } from "../postgres/errors.ts";

/** A bigint comes as text. */
type Cell = string | number | null;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** How long one statement may take, which reads or writes a page of rows at most. */
const stepLimitMs = 300_000;
const connectTimeoutMs = 10_000;
const closingSeconds = 5;
const settings =
  "set local statement_timeout = 0; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = 0";

/** Opens one connection to PostgreSQL, with everything in one transaction. */
export async function openSession(address: PostgresAddress) {
  const client = createClient({ address, connections: 1, statementTimeoutMs: 0, connectTimeoutMs });

  /** The client itself waits without end where the network swallows packets. */
  async function limited<T>(work: Promise<T>): Promise<T> {
    try {
      if (await endsWithin(work, stepLimitMs)) return await work;
    } catch (error) {
      throw translate(address.name, error);
    }
    await client.close({ timeout: 0 });
    throw new DatabaseUnavailable(`database "${address.name}" does not answer`);
  }

  async function begin(): Promise<ReservedSQL> {
    try {
      const connection = await limited(client.reserve());
      await limited(connection.unsafe(`begin; ${settings}`).simple());
      return connection;
    } catch (error) {
      await client.close({ timeout: 0 });
      throw error;
    }
  }

  const connection = await begin();
  return {
    /** Returns the values of the rows that the statement returns. */
    run: (statement: string): Promise<readonly (readonly Cell[])[]> =>
      limited(connection.unsafe<Cell[][]>(statement).values()),
    /** Runs a `copy … from stdin` with these lines. */
    write: (statement: string, lines: string): Promise<void> => limited(stream(connection, statement, lines)),
    /** Closes the connection, and undoes what was not committed. */
    async close(): Promise<void> {
      // A connection that is given back in the middle of a transaction is closed, and the server undoes what it did.
      await connection.release();
      await client.close({ timeout: closingSeconds });
    },
  };
}

async function stream(connection: ReservedSQL, statement: string, lines: string): Promise<void> {
  const writer = connection.unsafe(statement).writable().getWriter();
  await writer.write(lines);
  await writer.close();
}
