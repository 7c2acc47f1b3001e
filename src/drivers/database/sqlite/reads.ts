import type { Database as Connection } from "bun:sqlite";
import { type DatabaseMetrics, DatabaseUnavailable, type Params } from "../index.ts";
import { isBusy } from "./errors.ts";
import { createStatementCache, noParams } from "./statements.ts";

type Read =
  | {
      readonly many: false;
      readonly sql: string;
      readonly params: Params;
      readonly resolve: (row: undefined) => void;
      readonly reject: (error: unknown) => void;
    }
  | {
      readonly many: true;
      readonly sql: string;
      readonly params: Params;
      readonly resolve: (rows: never[]) => void;
      readonly reject: (error: unknown) => void;
    };

export interface ReadQueue {
  readonly get: <Row>(sql: string, params?: Params) => Promise<Row | undefined>;
  readonly all: <Row>(sql: string, params?: Params) => Promise<Row[]>;
  /** Runs the queued reads; later reads are refused. */
  close(): void;
}

const waitingLimit = 10_000;
const longestWaitMs = 250;

/**
 * Group read: the reads that arrive in one turn of the event loop run in one transaction, since taking and dropping the read lock of the
 * write-ahead log costs more than an indexed read. The snapshot is taken after the whole group has arrived, so a read sees every write that
 * was acknowledged before the read was asked for.
 */
export function createReadQueue(
  connection: Connection,
  name: string,
  translate: (error: unknown) => unknown,
  metrics: DatabaseMetrics | undefined,
): ReadQueue {
  const prepare = createStatementCache(connection, (statement) => {
    if (!statement.readonly) throw new TypeError("get and all only read: use run or batch to write");
  });
  const begin = connection.prepare("begin");
  const commit = connection.prepare("commit");
  const got = metrics?.operation("get");
  const listed = metrics?.operation("all");
  let queue: Read[] = [];
  /** When the first read of the group arrived. All reads share it: the clock is read twice a group, not twice a read. */
  let since = 0;
  /** Whether a read of this group has already waited for a lock. */
  let waited = false;
  let closed = false;

  function attempt(read: Read): void {
    const statement = prepare(read.sql, read.params);
    if (read.many) return read.resolve(statement.all(read.params));
    const row = statement.get(read.params);
    read.resolve(row === null ? undefined : row);
  }

  /** Settles the read. Returns whether it succeeded. */
  function execute(read: Read): boolean {
    try {
      attempt(read);
      return true;
    } catch (error) {
      return isBusy(error) && !waited ? attemptPatiently(read) : refuse(read, error);
    }
  }

  /**
   * Reads never wait for a write. Only the recovery of the write-ahead log after a crash excludes them, for a moment. Waiting for that
   * holds the event loop, so one read of a group waits, and the rest then succeed or fail at once.
   */
  function attemptPatiently(read: Read): boolean {
    waited = true;
    connection.run(`pragma busy_timeout = ${longestWaitMs}`);
    try {
      attempt(read);
      return true;
    } catch (error) {
      return refuse(read, error);
    } finally {
      connection.run("pragma busy_timeout = 0");
    }
  }

  function refuse(read: Read, error: unknown): false {
    read.reject(translate(error));
    return false;
  }

  /** Settles the reads of a group. Returns for each whether it succeeded. */
  function run(reads: readonly Read[]): readonly boolean[] {
    if (reads.length === 1) return reads.map(execute);
    try {
      begin.run();
    } catch (error) {
      return reads.map((read) => refuse(read, error));
    }
    // Resolving here is safe: no continuation runs before the flush has returned.
    const outcomes = reads.map(execute);
    // An input/output error may have ended the transaction already.
    if (connection.inTransaction) commit.run();
    return outcomes;
  }

  function flush(): void {
    const reads = queue;
    const startedAt = since;
    queue = [];
    waited = false;
    const outcomes = run(reads);
    if (got === undefined || listed === undefined) return;
    const seconds = (performance.now() - startedAt) / 1000;
    for (const [index, ok] of outcomes.entries()) (reads[index]?.many === true ? listed : got)(seconds, ok);
  }

  function enqueue(read: Read): void {
    if (closed) return read.reject(new DatabaseUnavailable(`database "${name}" is closed`, undefined));
    if (queue.length >= waitingLimit) {
      return read.reject(new DatabaseUnavailable(`database "${name}": ${waitingLimit} reads are waiting`, undefined));
    }
    if (queue.push(read) > 1) return;
    if (metrics !== undefined) since = performance.now();
    setImmediate(flush);
  }

  return {
    get: (sql, params = noParams) =>
      new Promise((resolve, reject) => enqueue({ many: false, sql, params, resolve, reject })),
    all: (sql, params = noParams) =>
      new Promise((resolve, reject) => enqueue({ many: true, sql, params, resolve, reject })),
    close() {
      closed = true;
      flush();
    },
  };
}
