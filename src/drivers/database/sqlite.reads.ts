import type { Database as Connection } from "bun:sqlite";
import { DatabaseUnavailable, type Params } from "./index.ts";
import { createStatementCache, noParams } from "./sqlite.statements.ts";

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
  /** Runs what is queued; later reads are refused. */
  close(): void;
}

const waitingLimit = 10_000;

/**
 * Group read: what one turn of the event loop asks for runs in one read transaction, since taking and dropping the WAL
 * read lock costs more than an indexed read. The snapshot is taken after all of the group has arrived, so a read sees
 * every write that was acknowledged before it was asked for.
 */
export function createReadQueue(
  connection: Connection,
  name: string,
  translate: (error: unknown) => unknown,
): ReadQueue {
  const prepare = createStatementCache(connection, (statement) => {
    if (!statement.readonly) throw new TypeError("get and all only read: use run or batch to write");
  });
  const begin = connection.prepare("begin");
  const commit = connection.prepare("commit");
  let queue: Read[] = [];
  let closed = false;

  function execute(read: Read): void {
    try {
      const statement = prepare(read.sql);
      if (read.many) return read.resolve(statement.all(read.params));
      const row = statement.get(read.params);
      read.resolve(row === null ? undefined : row);
    } catch (error) {
      read.reject(translate(error));
    }
  }

  function flush(): void {
    const reads = queue;
    queue = [];
    const grouped = reads.length > 1;
    try {
      if (grouped) begin.run();
    } catch (error) {
      for (const read of reads) read.reject(translate(error));
      return;
    }
    // Resolving here is safe: no continuation runs before this function has returned.
    for (const read of reads) execute(read);
    // An input/output error may have ended the transaction already.
    if (grouped && connection.inTransaction) commit.run();
  }

  function enqueue(read: Read): void {
    if (closed) return read.reject(new DatabaseUnavailable(`database "${name}" is closed`, undefined));
    if (queue.length >= waitingLimit) {
      return read.reject(new DatabaseUnavailable(`database "${name}": ${waitingLimit} reads are waiting`, undefined));
    }
    if (queue.push(read) === 1) setImmediate(flush);
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
