import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { binary, environment } from "./gatehouse.ts";
import { cpuSecondsOf, flushToDisk, readField, type Server, type Workspace } from "./workspace.ts";

export type Row = Readonly<Record<string, string | number | null>>;
export type Table = "users" | "auth_sessions" | "audit_events";

/** A migrated database of one kind, and what it costs. */
export interface Ground {
  readonly name: "SQLite" | "PostgreSQL";
  /** What it is and how it keeps what it acknowledges, in words. */
  readonly kept: string;
  /** What the service needs to use it, beside `environment(path)`. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  run<Found>(sql: string): Promise<readonly Found[]>;
  /** Inserts rows with all indexes in place, in the order in which they come. */
  insert(table: Table, rows: Iterable<Row>): Promise<void>;
  /** Brings it into the state that a database has which has been there for long. */
  settle(): Promise<void>;
  /** Resolves to the bytes of a table with its indexes, and to the levels of its deepest index. */
  size(table: Table): Promise<{ readonly bytes: number; readonly levels: number }>;
  /** Makes an index as a migration does. */
  index(table: Table, columns: string): Promise<void>;
  /** Resolves to the processor time of its own processes. */
  cpuSeconds(): Promise<number>;
  /** Resolves to the bytes that were written so that nothing is lost: the log of PostgreSQL, or all that the service has written. */
  written(server: Server): Promise<number>;
  /** Resolves to how many transactions have had an id of PostgreSQL, of which there are two thousand million between two vacuums. */
  transactions(): Promise<number>;
  /** Resolves to the memory of its own processes. */
  memoryBytes(): Promise<number>;
  stop(): Promise<void>;
}

const rowsAtOnce = 100_000;

function* batches(rows: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export async function openSqlite(workspace: Workspace, name: string): Promise<Ground> {
  const path = workspace.path(name);
  await workspace.complete("migrate", [binary, "migrate"], environment(path));
  const use = <Result>(work: (database: Database) => Result): Result => {
    const database = new Database(path, { strict: true });
    try {
      return work(database);
    } finally {
      database.close(true);
    }
  };
  return {
    name: "SQLite",
    kept: "one file, synchronous = full",
    path,
    env: {},
    run: async <Found>(sql: string) => use((database) => database.query<Found, []>(sql).all()),
    insert: async (table, rows) =>
      use((database) => {
        for (const pragma of [
          "journal_mode = delete",
          "journal_mode = off",
          "synchronous = off",
          "cache_size = -1000000",
        ])
          database.run(`pragma ${pragma}`);
        for (const batch of batches(rows)) {
          const columns = Object.keys(batch[0] ?? {});
          const insert = database.prepare(
            `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
          );
          database.transaction(() => {
            for (const row of batch) insert.run(...Object.values(row));
          })();
        }
        database.run("pragma journal_mode = wal");
      }),
    settle: async () => {
      use((database) => database.run("analyze"));
      flushToDisk(path);
    },
    size: async (table) =>
      use((database) => {
        const found = database
          .query<{ bytes: number; levels: number }, [string]>(
            `select sum(pgsize) as bytes, max(case when path like '%+%' then 0 else length(path) - length(replace(path, '/', '')) end) as levels
             from dbstat where name in (select name from sqlite_schema where tbl_name = ?)`,
          )
          .get(table);
        return { bytes: found?.bytes ?? 0, levels: found?.levels ?? 0 };
      }),
    index: async (table, columns) =>
      use((database) => void database.run(`create index of_the_benchmark on ${table} (${columns})`)),
    cpuSeconds: async () => 0,
    written: async ({ pid }) => readField(`/proc/${pid}/io`, "write_bytes"),
    transactions: async () => 0,
    memoryBytes: async () => 0,
    stop: async () => {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    },
  };
}

export async function openPostgres(
  workspace: Workspace,
  settings: Readonly<Record<string, string>> = {},
): Promise<Ground> {
  const server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB", ...settings } });
  const { url } = await server.createDatabase();
  const env = { DB_DRIVER: "postgres", DB_URL: url };
  await workspace.complete("migrate", [binary, "migrate"], { ...environment("unused.db"), ...env });
  const sql = new SQL(url, { max: 1 });
  const run = async <Found>(text: string): Promise<readonly Found[]> => await sql.unsafe<Found[]>(text);
  const [version] = await run<{ server_version: string; shared_buffers: string }>(
    "select current_setting('server_version') as server_version, current_setting('shared_buffers') as shared_buffers",
  );
  await run("create extension pageinspect");
  const postmaster = Number(readFileSync(join(server.folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  return {
    name: "PostgreSQL",
    kept: `PostgreSQL ${version?.server_version.split(" ")[0]} on the same machine, fsync and synchronous_commit on, shared_buffers ${version?.shared_buffers}`,
    path: "unused.db",
    env,
    run,
    async insert(table, rows) {
      const file = join(server.folder, "rows");
      // Triggers are off: those that count accounts and entries change no size.
      await run("set session_replication_role = replica");
      for (const batch of batches(rows)) {
        const lines = batch.map((row) => Object.values(row).map(copied).join("\t"));
        await Bun.write(file, `${lines.join("\n")}\n`);
        await chmod(file, 0o644);
        await run(`copy ${table} (${Object.keys(batch[0] ?? {}).join(", ")}) from '${file}'`);
      }
      await run("set session_replication_role = origin");
      rmSync(file, { force: true });
    },
    async settle() {
      await run("vacuum analyze");
      await run("checkpoint");
    },
    async size(table) {
      // The audit log lies in parts by the month, other tables in none.
      const parts = `select '${table}'::regclass union select relid from pg_partition_tree('${table}')`;
      const [found] = await run<{ bytes: string; levels: number }>(
        `select (select sum(pg_total_relation_size(oid)) from pg_class where oid in (${parts})) as bytes,
           1 + max((bt_metap(oid::regclass::text)).level) as levels
         from pg_class join pg_index on indexrelid = oid where indrelid in (${parts}) and relkind = 'i'`,
      );
      return { bytes: Number(found?.bytes), levels: Number(found?.levels) };
    },
    async index(table, columns) {
      await run(`create index concurrently of_the_benchmark on ${table} (${columns})`);
    },
    cpuSeconds: () => summed(postmaster, cpuSecondsOf),
    written: async () => {
      const [found] = await run<{ bytes: string }>("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
      return Number(found?.bytes);
    },
    async transactions() {
      const [found] = await run<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
      return Number(found?.next);
    },
    memoryBytes: () => summed(postmaster, async (pid) => (await readField(`/proc/${pid}/smaps_rollup`, "Pss")) * 1024),
    async stop() {
      await sql.close();
      await server.stop();
    },
  };
}

const copied = (value: string | number | null): string =>
  value === null
    ? String.raw`\N`
    : String(value)
        .replaceAll("\\", "\\\\")
        .replaceAll("\t", String.raw`\t`);

/** Adds up a figure of a process and of its children. One that has ended meanwhile counts nothing. */
async function summed(parent: number, figure: (pid: number) => Promise<number>): Promise<number> {
  const all = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid === parent || (pid > 0 && parentOf(pid) === parent));
  const figures = await Promise.all(all.map((pid) => figure(pid).catch(() => 0)));
  return figures.reduce((sum, each) => sum + each, 0);
}

/** Undefined for a process that has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
