import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Database, OpenedDatabase } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { engine } from "./engine.ts";

export interface TemporaryDatabase extends AsyncDisposable, OpenedDatabase {
  readonly path: string;
  /** Closes the database and removes its folder. */
  dispose(): Promise<void>;
}

const openAt = (path: string): OpenedDatabase => engine.open(path) ?? createSqliteDatabase({ path, name: "default" });

/** Opens the database of a running target with its driver. The caller closes it. */
export const openDatabaseAt = (path: string): Database => openAt(path).database;

/** A folder in memory where there is one: for tests that commit very often and do not concern durability. */
export const memoryFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Makes a throwaway database with the current schema. */
export async function temporaryDatabase(below = tmpdir()): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(join(below, "gatehouse-test-"));
  const path = join(folder, "app.db");
  engine.provide(engine.environment({ DB_DATABASE: path }), "migrated");
  const opened = openAt(path);
  const { database } = opened;
  await createMigrator({ database, migrations, clock: systemClock }).up();
  const dispose = async (): Promise<void> => {
    await database.close();
    engine.removeBelow(folder);
    await rm(folder, { recursive: true, force: true });
  };
  return { ...opened, path, dispose, [Symbol.asyncDispose]: dispose };
}
