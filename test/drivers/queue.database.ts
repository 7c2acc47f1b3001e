import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/drivers/database/index.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite.ts";

const migration = new URL("../../migrations/0002_jobs_and_schedules.up.sql", import.meta.url);

export interface JobDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly path: string;
}

/** A database file with the tables of jobs and schedules, and one of notes for what a job belongs to. */
export async function openJobDatabase(): Promise<JobDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-jobs-"));
  const path = join(folder, "app.db");
  const database = createSqliteDatabase({ path, name: "default" });
  const statements = `${await Bun.file(migration).text()}; create table notes (id text primary key)`.split(";");
  for (const sql of statements) if (sql.trim() !== "") await database.run(sql);
  return {
    database,
    path,
    async [Symbol.asyncDispose]() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}
