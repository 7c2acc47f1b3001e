import { rmSync } from "node:fs";
import type { Database, DatabaseMetrics, DriverLog } from "./index.ts";
import { type BackupReader, restore, type RestoreOptions } from "./sqlite/restore.ts";
import { isDamaged } from "./sqlite/errors.ts";
import { createSqliteDatabase } from "./sqlite/sqlite.ts";

export type { BackupReader };

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
  readonly metrics?: DatabaseMetrics | undefined;
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

/**
 * A file beside the application's own database whose content may be lost: its writes wait for no disk, and one that is damaged
 * is replaced by an empty one.
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
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return open();
  }
}
