import { SQL } from "bun";
import { expect, test } from "bun:test";
import { Database as Connection } from "bun:sqlite";
import { migrations } from "../../migrations/index.ts";
import { createCleanupRepository } from "../../src/auth/cleanup.repository.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { folderOfEachTest } from "../support/folder.ts";
import { postgresMissing, startPostgres } from "../support/postgres.ts";

const folder = folderOfEachTest();

/** Migrates the database, and returns the statements by which the cleanup of accounts counts and deletes, with values in place of parameters. */
async function statementsOn(database: Database): Promise<readonly string[]> {
  await createMigrator({ database, migrations, clock: systemClock }).up();
  const statements = new Set<string>();
  const recorded: Database = {
    ...database,
    get(sql, params) {
      statements.add(sql);
      return database.get(sql, params);
    },
    run(sql, params, options) {
      statements.add(sql);
      return database.run(sql, params, options);
    },
  };
  for (const { deleteSome, count } of Object.values(createCleanupRepository(recorded, "app"))) {
    await count(1_000);
    await deleteSome(1_000, 10);
  }
  expect(statements.size).toBeGreaterThan(25);
  return [...statements].map((sql) => sql.replaceAll("$before", "1000").replaceAll("$limit", "10"));
}

/** This index holds no sessions but those whose whole address is still there. */
const isWhole = (step: string): boolean =>
  step.startsWith("SCAN") && step !== "SCAN auth_sessions USING INDEX auth_sessions_whole_address";

test("every statement of auth:cleanup is led by an index on SQLite", async () => {
  const path = `${folder()}/app.db`;
  const { database } = createSqliteDatabase({ path });
  const statements = await statementsOn(database);
  await database.close();
  using connection = new Connection(path);
  const scans = statements.flatMap((sql) =>
    connection
      .query<{ detail: string }, []>(`explain query plan ${sql}`)
      .all()
      .filter(({ detail }) => isWhole(detail))
      .map(({ detail }) => `${detail}: ${sql}`),
  );
  expect(scans).toEqual([]);
});

test.skipIf(postgresMissing !== undefined)(
  "every statement of auth:cleanup is led by an index on PostgreSQL",
  async () => {
    const server = await startPostgres();
    try {
      const { url } = await server.createDatabase();
      const { database } = openDatabase({ driver: "postgres", path: "", url }, {});
      const statements = await statementsOn(database);
      await database.close();
      await using sql = new SQL(url, { max: 1 });
      // The server reads tables as small as these whole, unless it is told that this is dear.
      await sql.unsafe("set enable_seqscan = off");
      const scans: string[] = [];
      for (const statement of statements) {
        const plan = await sql.unsafe<Record<string, string>[]>(`explain ${statement}`);
        const steps = plan.flatMap((row) => Object.values(row));
        scans.push(...steps.filter((step) => step.includes("Seq Scan")).map((step) => `${step}: ${statement}`));
      }
      expect(scans).toEqual([]);
    } finally {
      await server.stop();
    }
  },
  90_000,
);
