import type { ReservedSQL } from "bun";
import { hour } from "../../../core/clock.ts";
import { endsWithin } from "../../../core/pace/deadline.ts";
import type { PostgresAddress } from "../../../core/address/postgres.url.ts";
import { DatabaseUnavailable } from "../index.ts";
import { createClient } from "../postgres/client.ts";
import { translate } from "../postgres/errors.ts";

/** A bigint comes as text. */
type Cell = string | number | null;

export type Session = Awaited<ReturnType<typeof openSession>>;

/** How long one statement may take that reads or writes a page of rows at most, or counts the rows of a table. */
const stepLimitMs = 300_000;
/** How long one statement may take that reads a whole table at the server: that makes an index, or proves references. */
const tableLimitMs = 6 * hour;
const connectTimeoutMs = 10_000;
const closingSeconds = 5;
const lineEnd = 10;
const settings =
  "set local statement_timeout = 0; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = 0";

/** Opens one connection to PostgreSQL, with everything in one transaction. */
export async function openSession(address: PostgresAddress) {
  const client = createClient({ address, connections: 1, statementTimeoutMs: 0, connectTimeoutMs });

  /** The client itself waits without end where the network swallows packets. */
  async function limited<T>(work: Promise<T>, limitMs = stepLimitMs): Promise<T> {
    try {
      if (await endsWithin(work, limitMs)) return await work;
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
    /** Runs a statement that reads a whole table. */
    work: async (statement: string): Promise<void> => void (await limited(connection.unsafe(statement), tableLimitMs)),
    /** Runs a `copy … from stdin` with these lines. */
    write: (statement: string, lines: string | Uint8Array): Promise<void> =>
      limited(stream(connection, statement, lines)),
    /** Runs a `copy … to stdout`, and returns its lines in pieces that each hold whole lines. */
    async *read(statement: string): AsyncGenerator<Uint8Array> {
      const reader = connection.unsafe(statement).readable().getReader();
      let rest: Uint8Array = new Uint8Array();
      for (;;) {
        const { done, value } = await limited(reader.read());
        if (done) break;
        const end = value.lastIndexOf(lineEnd) + 1;
        const whole = value.subarray(0, end);
        if (end > 0) yield rest.length === 0 ? whole : Buffer.concat([rest, whole]);
        rest = end > 0 ? value.slice(end) : Buffer.concat([rest, value]);
      }
      if (rest.length > 0) throw new DatabaseUnavailable(`database "${address.name}" broke off in the middle of a row`);
    },
    /** Closes the connection, and undoes what was not committed. */
    async close(): Promise<void> {
      // A connection that is given back in the middle of a transaction is closed, and the server undoes what it did.
      await connection.release();
      await client.close({ timeout: closingSeconds });
    },
  };
}

async function stream(connection: ReservedSQL, statement: string, lines: string | Uint8Array): Promise<void> {
  const writer = connection.unsafe(statement).writable().getWriter();
  await writer.write(lines);
  await writer.close();
}
