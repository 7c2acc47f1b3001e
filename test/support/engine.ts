import { existsSync } from "node:fs";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { OpenedDatabase } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { startPostgres } from "./postgres.ts";
import { type AskSync, type Changed, startAsking, type Value } from "./postgres.sync.ts";

/** The database of the service under test: `GATEHOUSE_TEST_DATABASE=postgres` selects a server instead of a file. */
export const testDatabase: "sqlite" | "postgres" =
  process.env["GATEHOUSE_TEST_DATABASE"] === "postgres" ? "postgres" : "sqlite";

type Environment = Readonly<Record<string, string>>;

export interface Connection {
  /** SQL that differs between the kinds of databases. */
  readonly texts: {
    /** Selects each column of each table, as `name` and `column`. */
    readonly columns: string;
    /** Keeps everybody else from writing, from the first statement until the rollback. */
    readonly holdWrites: readonly string[];
    /** Orders rows of the audit log by their commit. */
    readonly insertion: string;
    /** Returns statements that refuse rows for which the condition about `new` holds. */
    refuseInserts(name: string, table: string, condition: string): readonly string[];
    /** Returns the statement that ends the refusal. */
    acceptInserts(name: string, table: string): string;
  };
  /** The files of the database, if it has its own. */
  readonly files: readonly string[];
  /** Runs a statement with `?` for each parameter. Returns at once, without a promise. */
  ask(sql: string, params: Value[]): Changed;
  close(): void;
}

/** Tests name a database by the path of its file. On Postgres, each path stands for a database of its own on one server. */
export interface Engine {
  /** Returns the environment for a process that is to use the database at the path which its environment names. */
  environment(env: Environment): Environment;
  /** Makes the database that such an environment names, with the current schema or empty, unless it exists. */
  provide(env: Environment, contents: "migrated" | "empty"): void;
  /** Removes the databases whose paths are below the folder, and cuts off their connections. */
  removeBelow(folder: string): void;
  /** Opens the database at that path with a driver. Undefined if the path is that of a file. */
  open(path: string): OpenedDatabase | undefined;
  /** Opens the database for reading and changing rows beside the service. */
  connect(path: string): Connection | undefined;
}

const filesAlone: Engine = {
  environment: (env) => env,
  provide: () => undefined,
  removeBelow: () => undefined,
  open: () => undefined,
  connect: () => undefined,
};

async function createPostgresEngine(): Promise<Engine> {
  // All files of a run share its server. Files in one process share the server that the first has started.
  const server = (process.env["GATEHOUSE_TEST_POSTGRES_URL"] ??= (
    await startPostgres({ settings: { track_commit_timestamp: "on" } })
  ).url);
  const ask = startAsking();
  const administer = (sql: string) => ask({ url: server, sql, params: [] });
  const urlOf = (name: string): string => server.replace(/[^/]*$/, name);
  const nameOf = (path: string): string =>
    `gatehouse_${new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 24)}`;
  const settingsOf = (name: string) => ({ driver: "postgres", path: "", url: urlOf(name) });
  const isOurs = (env: Environment): boolean => env["DB_URL"]?.startsWith(urlOf("")) === true;
  const provided = new Map<string, string>();

  /** The database with the current schema, from which others are copied. */
  const template = nameOf(`template of ${process.pid} ${performance.timeOrigin} ${Math.random()}`);
  administer(`create database ${template}`);
  const { database } = openDatabase(settingsOf(template), {});
  await createMigrator({ database, migrations, clock: systemClock }).up();
  await database.close();

  return {
    environment(env) {
      const path = env["DB_DATABASE"] ?? "";
      const isOther = env["DB_DRIVER"] !== undefined && !isOurs(env);
      if (path === "" || isOther || existsSync(path)) return env;
      return { ...env, DB_DRIVER: "postgres", DB_URL: urlOf(nameOf(path)), DB_POOL: env["DB_POOL"] ?? "4" };
    },

    provide(env, contents) {
      const path = env["DB_DATABASE"] ?? "";
      if (!isOurs(env) || provided.has(path)) return;
      const name = nameOf(path);
      const { rows } = ask({ url: server, sql: "select 1 from pg_database where datname = $1", params: [name] });
      if (rows.length === 0)
        administer(`create database ${name}${contents === "migrated" ? ` template ${template}` : ""}`);
      provided.set(path, name);
    },

    removeBelow(folder) {
      for (const [path, name] of provided) {
        if (!path.startsWith(`${folder}/`)) continue;
        provided.delete(path);
        ask({ url: urlOf(name), sql: null, params: [] });
        administer(`drop database if exists ${name} with (force)`);
      }
    },

    open: (path) => (existsSync(path) ? undefined : openDatabase(settingsOf(nameOf(path)), {})),

    connect: (path) => (existsSync(path) ? undefined : connect(urlOf(nameOf(path)), ask)),
  };
}

const texts: Connection["texts"] = {
  insertion: "pg_xact_commit_timestamp(xmin), id",
  refuseInserts: (name, table, condition) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
    `create trigger ${name} before insert on ${table} for each row when (${condition}) execute function ${name}()`,
  ],
  acceptInserts: (name) => `drop function ${name} cascade`,
  columns: `select table_name as name, column_name as "column" from information_schema.columns where table_schema = 'public'`,
  holdWrites: [
    "begin",
    `do $$ declare each text;
     begin
       for each in select tablename from pg_tables where schemaname = 'public' loop
         execute format('lock table %I in exclusive mode', each);
       end loop;
     end $$`,
  ],
};

const connect = (url: string, ask: AskSync): Connection => ({
  texts,
  files: [],
  ask: (sql, params) => ask({ url, sql: numbered(sql), params }),
  close: () => void ask({ url, sql: null, params: [] }),
});

let asking: AskSync | undefined;
/** Connects to the database of that URL, on a server that a test has started itself. */
export const connectToServer = (url: string): Connection => connect(url, (asking ??= startAsking()));

/** Writes `$1`, `$2` for each `?` or `?1` outside quoted texts. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll(/'(?:[^']|'')*'|\?(\d*)/g, (part, given: string | undefined) =>
    given === undefined ? part : `$${given === "" ? (count += 1) : given}`,
  );
}

/** False if a test of the file itself has nothing to test: a server's databases are made and removed by its own tools. */
export const keepsRowsInFile = testDatabase === "sqlite";

export const engine: Engine = testDatabase === "postgres" ? await createPostgresEngine() : filesAlone;
