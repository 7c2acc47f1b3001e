import { existsSync, rmSync } from "node:fs";
import type { DatabaseDescription, DatabaseDriver, OpenDatabaseOptions, RestoreCapability } from "./driver.ts";
import { absentDatabase, type Database, type DatabaseReader, type DriverLog, type OpenedDatabase } from "./index.ts";
import { postgresDriver } from "./postgres/driver.ts";
import { sqliteDriver } from "./sqlite/driver.ts";
import { isDamaged } from "./sqlite/errors.ts";
import { companions } from "./sqlite/files.ts";
import { openForReading } from "./sqlite/reading.ts";
import { createSqliteDatabase } from "./sqlite/sqlite.ts";

/** The answer to a command for backups, where the server of the database has tools of its own for that. */
export const toolsOfTheServer =
  "this is for a file of SQLite: back up and restore a PostgreSQL database with pg_dump and pg_restore";

export interface DatabaseSettings {
  readonly driver: string;
  /** The path of the file of SQLite. */
  readonly path: string;
  /** The URL of the server of PostgreSQL, with user and password. */
  readonly url?: string | undefined;
  /** The most connections that this process has to the server. */
  readonly pool?: number;
}

/** The only switch on the names of database drivers. */
function driverOf({ driver, path, url = "", pool = 8 }: DatabaseSettings): DatabaseDriver {
  switch (driver) {
    case "sqlite":
      return sqliteDriver(path);
    case "postgres":
      return postgresDriver(url, pool);
    default:
      throw new Error(`unknown database driver "${driver}": known are sqlite and postgres`);
  }
}

export const describeDatabase = (settings: DatabaseSettings): DatabaseDescription => driverOf(settings).describe();

export const openDatabase = (settings: DatabaseSettings, options: OpenDatabaseOptions): OpenedDatabase =>
  driverOf(settings).open(options);

/** Rejects where the database does not exist. Opens nothing and makes nothing. */
export async function requireDatabase(settings: DatabaseSettings): Promise<void> {
  const { location, exists } = describeDatabase(settings);
  if (!(await exists())) throw absentDatabase(location);
}

/** What takes backups of the configured database. Throws for a database that only its server's own tools back up. */
export function restoringOf(settings: DatabaseSettings): RestoreCapability {
  const { restoring } = driverOf(settings);
  if (restoring === undefined) throw new Error(toolsOfTheServer);
  return restoring;
}

/** What returns how much room the configured database takes; undefined where a server looks after that. */
export const measureOf = (settings: DatabaseSettings): DatabaseDriver["measure"] => driverOf(settings).measure;

/**
 * Opens a SQLite file beside the application's own database whose content may be lost: its writes do not wait for the disk, and a damaged
 * file is replaced by an empty one.
 */
export function openDisposable(
  path: string,
  { name, log }: { readonly name: string; readonly log: DriverLog },
): Database {
  const open = (): Database => createSqliteDatabase({ path, name, disposable: true, log }).database;
  try {
    return open();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    log.warn("a damaged file is replaced by an empty one", { database: name, error });
    for (const suffix of ["", ...companions]) rmSync(`${path}${suffix}`, { force: true });
    return open();
  }
}

/** Opens a disposable file of another app, for a few reads. Undefined where there is none: nothing is made. */
export const openForeign = (path: string, name: string): DatabaseReader | undefined =>
  existsSync(path) ? openForReading(path, name) : undefined;
