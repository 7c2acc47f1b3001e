import type { Database, DatabaseMeter, DriverLog } from "./index.ts";
import { restore, type RestoreOptions } from "./sqlite.restore.ts";
import { createSqliteDatabase } from "./sqlite.ts";

export interface DatabaseSettings {
  readonly driver: string;
  readonly path: string;
}

export interface OpenDatabaseOptions {
  /** As probes and messages call it. Default "default". */
  readonly name?: string;
  /** Make an absent database; for the commands that set one up. Default true. */
  readonly create?: boolean;
  readonly log?: DriverLog | undefined;
  readonly meter?: DatabaseMeter | undefined;
}

/** The only switch on the names of database drivers. */
export function openDatabase(settings: DatabaseSettings, options: OpenDatabaseOptions): Database {
  switch (settings.driver) {
    case "sqlite":
      return createSqliteDatabase({ path: settings.path, name: "default", ...options });
    default:
      throw new Error(`unknown database driver "${settings.driver}": known is sqlite`);
  }
}

/** Puts a backup into the place of the configured database. Rejects, and changes nothing, where that can't be done safely. */
export async function restoreDatabase(
  settings: DatabaseSettings,
  options: Omit<RestoreOptions, "path">,
): Promise<void> {
  switch (settings.driver) {
    case "sqlite":
      return restore({ ...options, path: settings.path });
    default:
      throw new Error(`unknown database driver "${settings.driver}": known is sqlite`);
  }
}
