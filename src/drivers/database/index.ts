import type { Millis } from "../../core/clock.ts";
import type { LogOn } from "../../core/log.ts";
import type {
  BackupCapability,
  ChangeCapability,
  HealthCapability,
  IndexCapability,
  NoticeCapability,
  PartitionCapability,
} from "./capabilities.ts";
import { computed, sql, type Sql } from "./columns.ts";
import type { Params } from "./parameters.ts";

export { column, computed, noColumns, sql, tableOf, together, unionAll } from "./columns.ts";
export type { Column, Columns, RowOf, Sql } from "./columns.ts";
export type * from "./capabilities.ts";
export type { Params, SqlValue } from "./parameters.ts";

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

export interface WriteOptions {
  /**
   * False for a write that may be lost when the machine itself goes down: it survives the end of the process, is seen by all at once, and
   * does not wait for the disk. Default true.
   */
  readonly durable?: boolean;
}

/**
 * Four verbs for data, and no open transaction that could be held across an await: a change of state is one guarded statement, or one batch
 * that applies whole or not at all. A resolved write is durable, unless the caller said otherwise.
 *
 * Statements keep to what SQLite and PostgreSQL share: TEXT ids, BIGINT epoch milliseconds, booleans as 0 and 1, `on conflict`,
 * `returning`. The few that can't look at `dialect`. Only a driver asks its own catalogue.
 *
 * The type of a row comes with the text, which `sql` makes of lists of columns. A call gives exactly the parameters that the text names.
 *
 * What a driver can do besides is a capability of its own (`OpenedDatabase`), which those who need it ask for by name.
 */
export interface Database {
  /** Tells the very few statements apart that differ between databases. */
  readonly dialect: Dialect;
  get<Row>(sql: Sql<Row>, params?: Params): Promise<Row | undefined>;
  all<Row>(sql: Sql<Row>, params?: Params): Promise<Row[]>;
  run<Row>(sql: Sql<Row>, params?: Params, options?: WriteOptions): Promise<RunResult<Row>>;
  batch(statements: readonly Statement[], options?: WriteOptions): Promise<BatchResult>;
  close(): Promise<void>;
}

/** An open database, with what its driver can do besides the four verbs. What is absent the database's server has a tool of its own for. */
export interface OpenedDatabase {
  readonly database: Database;
  readonly health: HealthCapability;
  readonly backups?: BackupCapability;
  readonly changes?: ChangeCapability;
  readonly notices?: NoticeCapability;
  readonly indexing?: IndexCapability;
  readonly partitions?: PartitionCapability;
}

/** A database that is read and never written. */
export type DatabaseReader = Pick<Database, "get" | "all" | "close">;

export interface DatabaseMetrics {
  /** Called when an operation begins. Returns a function for its end, which takes the time that the caller has waited. */
  operation(name: "get" | "all" | "run" | "batch"): (seconds: number, ok: boolean) => void;
}

export type DriverLog = LogOn<"warn" | "error">;

/** The database can't take the request now (busy, full, read-only, unreachable); answered with 503. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** Returns an error for a missing database that says what to do: a missing database is more often a mistake than a wish for an empty one. */
export const absentDatabase = (location: string): DatabaseUnavailable =>
  new DatabaseUnavailable(
    `${location} does not exist: is DB_DATABASE right, and its volume mounted? migrate --create makes a new database`,
  );

/**
 * Deletes and counts rows of a table that are old before a time, which `condition` names `$before`. `deleteSome` deletes at most `limit` rows
 * and resolves to how many it deleted. The outer condition repeats the inner one, because PostgreSQL checks only the outer one again on a row
 * that was written meanwhile, such as a counter that began anew.
 */
export function oldRows(db: Database, table: string, key: string, condition: string) {
  const deleteSome = `delete from ${table}
    where ${key} in (select ${key} from ${table} where ${condition} limit $limit) and (${condition})`;
  const counted = sql`select ${computed<{ found: number }>({ found: "count(*)" })} from ${table} where ${condition}`;
  return {
    deleteSome: async (before: Millis, limit: number): Promise<number> =>
      (await db.run(deleteSome, { before, limit })).changes,
    count: async (before: Millis): Promise<number> => (await db.get(counted, { before }))?.found ?? 0,
  };
}
