import type { ReservedSQL, SQL } from "bun";
import { systemClock } from "../../../core/clock.ts";
import { createNews } from "../../../core/pace/news.ts";
import { DatabaseUnavailable, type DriverLog } from "../index.ts";
import { createBegin, createClient, type ClientOptions, hasLimits } from "./client.ts";
import { createDeadlines } from "./deadlines.ts";
import { forPoolers } from "./errors.ts";

/** How long statements that are still running on replaced connections have to end. */
const replacedEndSeconds = 1;
const closingSeconds = 5;
/** The least time between two replacements for a server that only reads: the address may lead to it for a while. */
const readOnlyRestMs = 1_000;
/** How long after the longest time that the server lets a statement run its answer may still come. */
const answerMarginMs = 2_000;

const crowded =
  ", or the pooler has no connection left: in session mode its default_pool_size has to hold DB_POOL of every process";

interface PoolOptions extends Pick<ClientOptions, "address" | "connections"> {
  readonly name: string;
  /** How long the server is given for one statement, and for a new connection. */
  readonly timeoutMs: number;
  /** Lets a statement take as long as it needs, for commands that change or copy whole tables. */
  readonly patient: boolean;
  readonly log: DriverLog | undefined;
}

/**
 * Makes the connections to one server. All of them are replaced when the server has not answered over one of them, or when one leads to a
 * server that only reads: where a standby has been promoted, connections to its former primary may stay open, and would read what was.
 */
export function createPool({ name, address, connections, timeoutMs, patient, log }: PoolOptions) {
  const silenceMs = timeoutMs + answerMarginMs;
  const options = { address, connections, statementTimeoutMs: patient ? 0 : timeoutMs, connectTimeoutMs: timeoutMs };
  const connect = (): SQL => createClient(options);
  const isNews = createNews(systemClock);
  let client = connect();
  let replacedAt = performance.now();

  function replace(why: string, restMs: number): void {
    // Calls that hang on replaced connections are not counted against the new ones.
    if (performance.now() - replacedAt < restMs) return;
    replacedAt = performance.now();
    if (isNews(why)) log?.warn(`database connections replaced: ${why}`, { database: name });
    const replaced = client;
    client = connect();
    void end(replaced, replacedEndSeconds);
  }

  const inTime = createDeadlines({
    limitMs: patient ? Number.POSITIVE_INFINITY : silenceMs,
    words: `the server has not answered for ${silenceMs} ms${address.pooler ? crowded : ""}`,
    onSilence: () => replace(`the server has not answered for ${silenceMs} ms`, silenceMs),
  });

  let proof = address.pooler ? Promise.resolve() : undefined;
  /** Rejects where a pooler drops the settings of connections: it would also mix up the statements that they have prepared. */
  const proven = (): Promise<void> =>
    (proof ??= inTime(hasLimits(client), { isAlone: false })
      .then((arrived) => {
        if (!arrived)
          throw new DatabaseUnavailable(`what stands before it drops the settings of connections: ${forPoolers}`);
      })
      .catch((error: unknown) => {
        proof = undefined;
        throw error;
      }));

  async function end(ending: SQL, seconds: number): Promise<void> {
    try {
      await ending.close({ timeout: seconds });
    } catch (error) {
      log?.warn("database connections were not closed", { database: name, error });
    }
  }

  return {
    /** Runs one statement on any connection, with others ahead of and behind it. */
    async query<T>(ask: (connection: SQL) => PromiseLike<T>): Promise<T> {
      await proven();
      return inTime(ask(client), { isAlone: false });
    },

    /** Opens a transaction on a connection that the caller holds. */
    begin: createBegin(options),
    /** Whether a statement has its limits within a transaction alone. */
    isPooled: address.pooler,

    /** Waits for an answer over a connection that the caller holds. */
    answered: <T>(work: PromiseLike<T>): Promise<T> => inTime(work, { isAlone: true }),

    /** Hands out a connection that nobody else uses meanwhile. A connection that is left in a transaction is closed. */
    async hold<T>(work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
      await proven();
      using connection = await inTime(client.reserve(), { isAlone: false });
      return await work(connection);
    },

    /** Replaces all connections, since one leads to a server that only reads. */
    leaveReadOnly: (): void => replace("the server only reads", readOnlyRestMs),

    close: (): Promise<void> => end(client, closingSeconds),
  };
}

export type Pool = ReturnType<typeof createPool>;
