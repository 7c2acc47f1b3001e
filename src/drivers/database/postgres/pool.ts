import type { ReservedSQL, SQL } from "bun";
import type { DriverLog } from "../index.ts";
import { createClient, statementTimeoutMs, type ClientOptions } from "./client.ts";
import { createDeadlines } from "./deadlines.ts";

/** An answer, be it an error, comes before this even to the slowest statement that the server lets run. */
const silenceMs = statementTimeoutMs + 2_000;
/** What is still being answered over the connections of a pool that is replaced has this long to end. */
const replacedEndSeconds = 1;
const closingSeconds = 5;

export interface PoolOptions extends ClientOptions {
  readonly name: string;
  readonly log: DriverLog | undefined;
}

/** The connections to one server. All of them are replaced when it has not answered over one of them. */
export function createPool({ name, log, ...options }: PoolOptions) {
  let client: SQL = createClient(options);
  let replacedAt = performance.now();

  function replace(): void {
    // What hangs on the connections of before is not counted against the new ones.
    if (performance.now() - replacedAt < silenceMs) return;
    replacedAt = performance.now();
    log?.warn("database connections replaced: the server has not answered", { database: name, waitedMs: silenceMs });
    const silent = client;
    client = createClient(options);
    void end(silent, replacedEndSeconds);
  }

  const deadlines = createDeadlines({
    limitMs: options.patient ? Number.POSITIVE_INFINITY : silenceMs,
    onSilence: replace,
  });

  async function end(ending: SQL, seconds: number): Promise<void> {
    try {
      await ending.close({ timeout: seconds });
    } catch (error) {
      log?.warn("database connections were not closed", { database: name, error });
    }
  }

  return {
    /** Runs one statement on any connection, with others ahead of and behind it. */
    query: <T>(ask: (connection: SQL) => PromiseLike<T>): Promise<T> => deadlines.watch(ask(client)),

    /** Waits for an answer to what was asked on a connection that is held. */
    answered: deadlines.watch,

    /** Hands out a connection that nobody else uses meanwhile. One that is left in a transaction is closed. */
    async hold<T>(work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
      using connection = await deadlines.watch(client.reserve());
      return await work(connection);
    },

    close: (): Promise<void> => end(client, closingSeconds),
  };
}

export type Pool = ReturnType<typeof createPool>;
