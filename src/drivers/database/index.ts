import type { Sql } from "./columns.ts";
import type { Params } from "./parameters.ts";

export { computed, noColumns, sql, tableOf, together, unionAll } from "./columns.ts";
export type { Column, Columns, RowOf, Sql } from "./columns.ts";
export type { Params, SqlValue } from "./parameters.ts";

/** The SQL that a database speaks. */
export type Dialect = "sqlite" | "postgres";

export interface Statement {
  readonly sql: string;
  readonly params?: Params;
  /** A guarded statement that changes (or returns) no row undoes the whole batch. */
  readonly guard?: boolean;
}

export interface RunResult<Row = unknown> {
  /** Rows changed, or returned by a `returning` clause. */
  readonly changes: number;
  readonly rows: readonly Row[];
}

/** Tells whether the batch was applied. `failedGuard` is the index of the statement that undid it. */
export type BatchResult =
  | { readonly applied: true; readonly results: readonly RunResult[] }
  | { readonly applied: false; readonly failedGuard: number };

/** A second file that describes the first. */
export interface FileBeside {
  /** The ending that follows the name of the first file. */
  readonly ending: string;
  /** Makes the content from the finished copy, before the copy has its name. Where this rejects, nothing is written. */
  readonly content: (copy: string) => Promise<string>;
}

export interface BackupOptions {
  /** Replaces a file of that name; otherwise an existing file is an error. Default false. */
  readonly replace?: boolean;
  /**
   * A second file that gets its name right after the backup: a process that is killed leaves a backup without it, and never with another
   * backup's.
   */
  readonly beside?: FileBeside;
  readonly signal?: AbortSignal;
  /** Called now and then with how many bytes are written, of about how many. */
  readonly onProgress?: (written: number, total: number) => void;
}

/** Pages of a database file that commits have changed. */
export interface PageChanges {
  readonly pageSize: number;
  /** How many pages the database has after the change. */
  readonly pageCount: number;
  /** Pages by their numbers, which begin at 1. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

/** Follows what all processes commit. One process does so at a time, with one call at a time. */
export interface Following {
  /** Returns how many pages, at most, were changed since the last `collect`. Costs next to nothing. */
  waiting(): number;
  /**
   * Returns what was changed since the last call, up to a state that holds everything committed before this call. Undefined where the
   * change is not known, as at the first call, or is too large: a copy then says what the database holds, and the next call goes on from
   * there.
   */
  collect(): Promise<PageChanges | undefined>;
  /** Writes the database as the last `collect` found it into a new file, page by page, and checks it. */
  copy(path: string, signal: AbortSignal): Promise<Pick<PageChanges, "pageSize" | "pageCount">>;
  /** Lets other processes follow. Later commits are not known here. */
  close(): void;
}

export interface WriteOptions {
  /**
   * False for a write that may be lost when the machine itself goes down: it survives the end of the process, is seen by all at once, and
   * does not wait for the disk. Default true.
   */
  readonly durable?: boolean;
}

/** A channel that is heard until this is stopped. */
export interface Listening {
  stop(): Promise<void>;
}

/**
 * Four verbs for data, and no open transaction that could be held across an await: a change of state is one guarded statement, or one batch
 * that applies whole or not at all. A resolved write is durable, unless the caller said otherwise.
 *
 * Statements keep to what SQLite and PostgreSQL share: TEXT ids, BIGINT epoch milliseconds, booleans as 0 and 1, `on conflict`,
 * `returning`. The few that can't look at `dialect`. Only a driver asks its own catalogue.
 *
 * The type of a row comes with the text, which `sql` makes of lists of columns. A call gives exactly the parameters that the text names.
 */
export interface Database {
  readonly driver: string;
  /** Tells the very few statements apart that differ between databases. */
  readonly dialect: Dialect;
  readonly name: string;
  get<Row>(sql: Sql<Row>, params?: Params): Promise<Row | undefined>;
  all<Row>(sql: Sql<Row>, params?: Params): Promise<Row[]>;
  run<Row>(sql: Sql<Row>, params?: Params, options?: WriteOptions): Promise<RunResult<Row>>;
  batch(statements: readonly Statement[], options?: WriteOptions): Promise<BatchResult>;
  /** Returns whether a table exists, so that pending migrations can be listed without creating the table that records them. */
  hasTable(name: string): Promise<boolean>;
  /**
   * Rejects where the database does not sort text by its bytes: pages of lists and searches by a beginning need that. Absent where every
   * database of the driver does.
   */
  checkTextOrder?(): Promise<void>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Rejects when the database does not answer, or when no write could begin within a second. Changes nothing. */
  checkWritable(): Promise<void>;
  /**
   * Writes a file with all that was committed before the call, checked and on disk, while others go on writing. The file is there whole or
   * not at all. Absent where the server has a tool of its own for that (pg_dump).
   */
  backup?(path: string, options?: BackupOptions): Promise<void>;
  /** Begins to follow commits; undefined while another process follows them. Absent where the server has a tool of its own for that. */
  follow?(): Following | undefined;
  /**
   * Calls `onNotice` with every text that a commit of any process sends on the channel, and with undefined after every connect, reconnects
   * included: some texts may have been missed. A lost connection is tried again without end. Absent where the database sends nothing.
   */
  listen?(channel: string, onNotice: (text: string | undefined) => void): Listening;
  close(): Promise<void>;
}

/** A database that is read and never written. */
export type DatabaseReader = Pick<Database, "get" | "all" | "close">;

/** Counts a driver's operations; the application's metrics satisfy it. */
export interface DatabaseMetrics {
  /** Called when an operation begins. Returns a function for its end, which takes the time that the caller has waited. */
  operation(name: "get" | "all" | "run" | "batch"): (seconds: number, ok: boolean) => void;
}

/** Tells the operator about a driver's troubles; the application's log satisfies it. */
export interface DriverLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The database can't take the request now (busy, full, read-only, unreachable); answered with 503. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** Returns an error for a missing database that says what to do: a missing database is more often a mistake than a wish for an empty one. */
export const absentDatabase = (location: string): DatabaseUnavailable =>
  new DatabaseUnavailable(
    `${location} does not exist: is DB_DATABASE right, and its volume mounted? migrate --create makes a new database`,
    undefined,
  );
