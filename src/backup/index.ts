import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createArchive, type ArchiveOptions } from "./archive.ts";
import { createShipper } from "./changes/shipper.ts";
import { createVault } from "./vault.ts";

export { createArchive } from "./archive.ts";

interface BackupSettings {
  /** How many of the newest daily backups are kept. */
  readonly keep: number;
  /** How often changes go to the disk; undefined where they do not. */
  readonly changesIntervalMs: number | undefined;
  readonly changesKeepMs: number;
  /** The public key of age for which everything is encrypted. */
  readonly ageRecipient: string | undefined;
}

interface BackupOptions extends Omit<ArchiveOptions, "workFile" | "recipient" | "identities"> {
  readonly database: Database;
  readonly settings: BackupSettings;
  readonly log: Log;
}

/** `backup:daily`, which the scheduler's lock lets one process at a time run, and the continuous copies. */
export function createBackups({ database, settings, log, ...options }: BackupOptions): Module {
  const { keep, ageRecipient: recipient } = settings;
  const archive = createArchive({ ...options, recipient, workFile: "copy.db" });
  const changes = continuous({ database, settings, log, ...options });
  return {
    schedules: [
      {
        name: "backup:daily",
        cron: "40 3 * * *",
        async run(signal) {
          const { name, size } = await archive.add(database, { signal });
          // The backup just made is kept even if the clock was ahead when the others were made, so that they sort after it.
          const others = (await archive.list({ own: true })).filter((other) => other.name !== name).toReversed();
          const old = others.slice(keep - 1);
          for (const other of old) await archive.remove(other.name);
          log.info("backup made", { name, disk: options.disk.name, bytes: size, removed: old.length });
        },
      },
    ],
    ...(changes && { background: changes.start, close: changes.stop }),
  };
}

function continuous({ database, settings, installation, disk, workFolder, clock, log }: BackupOptions) {
  const { changesIntervalMs: everyMs, changesKeepMs: keepMs, ageRecipient: recipient } = settings;
  if (everyMs === undefined) return undefined;
  return createShipper({
    database,
    installation,
    vault: createVault({ disk, recipient }),
    place: { workFolder, workFile: "changes.db" },
    everyMs,
    keepMs,
    clock,
    log,
  });
}
