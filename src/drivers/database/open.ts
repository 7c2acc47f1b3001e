import { existsSync, rmSync } from "node:fs";
import type {
  BackupReader,
  DatabaseDescription,
  DatabaseDriver,
  OpenDatabaseOptions,
  RestoreOptions,
  TableRows,
  VerifyOptions,
} from "./driver.ts";
import { absentDatabase, type Database, type DatabaseReader, type DriverLog } from "./index.ts";
import { postgresDriver } from "./postgres/driver.ts";
import { sqliteDriver } from "./sqlite/driver.ts";
import { isDamaged } from "./sqlite/errors.ts";
import { companions } from "./sqlite/files.ts";
import { openForReading } from "./sqlite/reading.ts";
import { createSqliteDatabase } from "./sqlite/sqlite.ts";

export { toolsOfTheServer } from "./driver.ts";

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

export const openDatabase = (settings: DatabaseSettings, options: OpenDatabaseOptions): Database =>
  driverOf(settings).open(options);

/** Rejects where the database does not exist. Opens nothing and makes nothing. */
export async function requireDatabase(settings: DatabaseSettings): Promise<void> {
  const { location, exists } = describeDatabase(settings);
  if (!(await exists())) throw absentDatabase(location);
}

/** Puts a backup into the place of the configured database. Rejects, and changes nothing, where that can't be done safely. */
export const restoreDatabase = async (settings: DatabaseSettings, options: RestoreOptions): Promise<void> =>
  driverOf(settings).restore(options);

/** Reads a whole backup, and counts its rows. The configured database is not touched. */
export const verifyBackup = async (settings: DatabaseSettings, options: VerifyOptions): Promise<readonly TableRows[]> =>
  driverOf(settings).verify(options);

/** Shows a copy of the configured database to `look`. Nobody writes the copy. */
export const examineBackup = async <T>(
  settings: DatabaseSettings,
  path: string,
  look: (backup: BackupReader) => Promise<T>,
): Promise<T> => driverOf(settings).examine(path, look);

/**
 * Opens a SQLite file beside the application's own database whose content may be lost: its writes do not wait for the disk, and a damaged
 * file is replaced by an empty one.
 */
export function openDisposable(
  path: string,
  { name, log }: { readonly name: string; readonly log: DriverLog },
): Database {
  const open = (): Database => createSqliteDatabase({ path, name, disposable: true, log });
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
