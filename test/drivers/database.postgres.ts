import { readPostgresUrl } from "../../src/core/address/postgres.url.ts";
import type { Database, Statement } from "../../src/drivers/database/index.ts";
import { createPostgresDatabase, type PostgresOptions } from "../../src/drivers/database/postgres/postgres.ts";

export type PostgresTestOptions = Partial<PostgresOptions>;

export function openPostgres(url: string, options: PostgresTestOptions = {}) {
  const address = readPostgresUrl(url);
  if (typeof address === "string") throw new Error(address);
  return createPostgresDatabase({ name: "default", address, connections: 8, ...options });
}

/** Adds a row and counts it: each batch does both or neither. */
export const addFact = (id: string): Statement[] => [
  { sql: "insert into facts (id) values ($id)", params: { id } },
  { sql: "update counters set n = n + 1", guard: true },
];

/** Makes the tables of addFact. */
export async function makeFacts(database: Database): Promise<Database> {
  await database.run("create table facts (id text primary key)");
  await database.run("create table counters (n bigint not null)");
  await database.run("insert into counters (n) values (0)");
  return database;
}

/** Opens databases, and closes those that a test has not closed itself. */
export function createOpener() {
  const opened: Database[] = [];
  function useWhole(url: string, options?: PostgresTestOptions) {
    const whole = openPostgres(url, options);
    opened.push(whole.database);
    return whole;
  }
  return {
    useWhole,
    use: (url: string, options?: PostgresTestOptions): Database => useWhole(url, options).database,
    closeAll: () => Promise.all(opened.splice(0).map((database) => database.close())),
  };
}
