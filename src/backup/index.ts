import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createArchive, type ArchiveOptions } from "./archive.ts";

export { createArchive } from "./archive.ts";

interface BackupOptions extends Omit<ArchiveOptions, "workFile"> {
  readonly database: Database;
  /** How many of the newest are kept. */
  readonly keep: number;
  readonly log: Log;
}

/** `backup:daily`. The scheduler's lock lets one process at a time run it. */
export function createBackups({ database, keep, log, ...options }: BackupOptions): Module {
  const archive = createArchive({ ...options, workFile: "copy.db" });
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
  };
}
