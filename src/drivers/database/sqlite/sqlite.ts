import type { Database as Connection } from "bun:sqlite";
import { stat } from "node:fs/promises";
import {
  type BackupCapability,
  type ChangeCapability,
  type Database,
  type DatabaseMetrics,
  DatabaseUnavailable,
  type DriverLog,
  type HealthCapability,
} from "../index.ts";
import { backUp } from "./backup/backup.ts";
import { createFollowing } from "./changes/follow.ts";
import { openConnection } from "./connection.ts";
import { translate } from "./errors.ts";
import { createReadQueue } from "./reads.ts";
import { createWriteLockCheck } from "./write.lock.ts";
import { createWriteQueue } from "./writes.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly name: string;
  /** Makes an absent file (0600) and its folder (0700); otherwise an absent file is an error. Default true. */
  readonly create?: boolean;
  /** How long a write waits for another process's lock before it is refused. Default 5 s. */
  readonly lockTimeoutMs?: number;
  /** Marks a file that may be lost when the machine goes down: a write that need not be durable then never waits for the disk. */
  readonly disposable?: boolean;
  readonly log?: DriverLog | undefined;
  readonly metrics?: DatabaseMetrics | undefined;
}

/**
 * Opens a file that any number of processes on one host may share. Opens at once, and throws when the file can't be used. Reads and writes
 * are grouped by turn of the event loop: see createReadQueue and createWriteQueue.
 */
export function createSqliteDatabase(options: SqliteOptions) {
  const { path, name, create = true, lockTimeoutMs = 5_000, disposable = false, log, metrics } = options;
  const translated = (error: unknown): unknown => translate(name, error);
  const { connection, inode } = rethrow(translated, () => openConnection(path, create));
  const reads = createReadQueue(connection, name, translated, metrics);
  const checkWriteLock = createWriteLockCheck(connection, name, translated);
  const writes = createWriteQueue(connection, {
    name,
    lockTimeoutMs,
    relaxed: disposable ? "off" : "normal",
    translate: translated,
    log,
    metrics,
  });
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    reads.close();
    await writes.close();
    checkpoint(connection, name, log);
    connection.close(true);
  }

  async function ping(): Promise<void> {
    await reads.get("select count(*) as tables from sqlite_schema");
    const file = await stat(path, { bigint: true }).catch(() => undefined);
    if (file?.ino !== inode)
      throw new DatabaseUnavailable(
        `database "${name}": its file was removed or replaced while it was open`,
        undefined,
      );
  }

  const database: Database = {
    dialect: "sqlite",
    get: reads.get,
    all: reads.all,
    run: writes.run,
    batch: writes.batch,
    close: () => (closing ??= close()),
  };
  const health: HealthCapability = {
    driver: "sqlite",
    name,
    ping,
    async checkWritable() {
      await ping();
      await checkWriteLock();
    },
  };
  const backups: BackupCapability = { backUp: (output, backup) => backUp(path, output, backup) };
  const changes: ChangeCapability = { follow: () => rethrow(translated, () => createFollowing(path, name)) };
  return { database, health, backups, changes };
}

/** Leaves one complete file behind. Durability does not need that: a log that stays is read at the next opening. */
function checkpoint(connection: Connection, name: string, log: DriverLog | undefined): void {
  try {
    connection.run("pragma wal_checkpoint(truncate)");
  } catch (error) {
    log?.warn("database checkpoint failed", { database: name, error });
  }
}

function rethrow<T>(translated: (error: unknown) => unknown, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw translated(error);
  }
}
