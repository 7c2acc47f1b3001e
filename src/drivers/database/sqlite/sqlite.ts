import type { Database as Connection } from "bun:sqlite";
import { stat } from "node:fs/promises";
import {
  type BackupCapability,
  type ChangeCapability,
  type Database,
  DatabaseUnavailable,
  type DriverLog,
  type HealthCapability,
} from "../index.ts";
import type { OpenDatabaseOptions } from "../driver.ts";
import { backUp } from "./backup/backup.ts";
import { createFollowing } from "./changes/follow.ts";
import { openConnection } from "./connection.ts";
import { translate, isBusy } from "./errors.ts";
import { createReadQueue } from "./reads.ts";
import { createWriteQueue } from "./writes.ts";
import { minute, second } from "../../../core/clock.ts";

/** An index of a million rows is built in half the time, all of which is spent under the write lock. */
const forWholeTables = ["cache_size = -128000", "threads = 2"];

interface SqliteOptions extends OpenDatabaseOptions {
  readonly path: string;
  /** How long a write waits for another process's lock before it is refused. Default 5 s, and a minute where the command is patient. */
  readonly lockTimeoutMs?: number;
  /** Marks a file that may be lost when the machine goes down: a write that need not be durable then never waits for the disk. */
  readonly disposable?: boolean;
}

/**
 * Opens a file that any number of processes on one host may share. Opens at once, and throws when the file can't be used. Reads and writes
 * are grouped by turn of the event loop: see createReadQueue and createWriteQueue.
 */
export function createSqliteDatabase(options: SqliteOptions) {
  const { path, name = "default", create = true, patient = false, disposable = false, log, metrics } = options;
  const { lockTimeoutMs = patient ? minute : 5 * second } = options;
  const translated = (error: unknown): unknown => translate(name, error);
  const { connection, inode } = rethrow(translated, () => openConnection(path, create));
  if (patient) for (const pragma of forWholeTables) connection.run(`pragma ${pragma}`);
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
      throw new DatabaseUnavailable(`database "${name}": its file was removed or replaced while it was open`);
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
    // The second takes the write lock. The first, which takes none, leaves little to it.
    connection.run("pragma wal_checkpoint(passive)");
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

const longestWaitMs = second;
const pauseMs = 20;

/**
 * Makes a check that takes the write lock and gives it back in one turn of the event loop, and changes nothing meanwhile. Another process's
 * commit holds the lock for a moment, so a refusal counts only after a second.
 */
function createWriteLockCheck(connection: Connection, name: string, translate: (error: unknown) => unknown) {
  const begin = connection.prepare("begin immediate");
  const rollback = connection.prepare("rollback");

  /** Returns false where another connection holds the lock. */
  function takeLock(): boolean {
    try {
      begin.run();
      rollback.run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw translate(error);
    }
  }

  return async (): Promise<void> => {
    const since = performance.now();
    while (!takeLock()) {
      if (performance.now() - since >= longestWaitMs)
        throw new DatabaseUnavailable(
          `database "${name}": another process has held the write lock for ${longestWaitMs} ms`,
        );
      await Bun.sleep(pauseMs);
    }
  };
}
