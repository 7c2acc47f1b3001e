import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Millis } from "../core/clock.ts";
import { deriveKey, hexMac } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Storage } from "../drivers/storage/index.ts";
import type { Log } from "../observe/index.ts";

interface BackupOptions {
  /** Whose backups these are. Installations can share a disk, and must not delete each other's backups. */
  readonly installation: { readonly key: string; readonly env: string };
  readonly database: Database;
  readonly disk: Storage;
  /** How many of the newest are kept. */
  readonly keep: number;
  /**
   * Where the copy of the database lies until it is on the disk, so there must be room for it. The folder is removed
   * afterwards, unless somebody put other files into it.
   */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

const mostPages = 100;
const copyName = "copy.db";

/** Names the installation in file names. Its two apps share one database, so that nothing of the app is part of the tag. */
const tagOf = ({ key, env }: BackupOptions["installation"]): string =>
  `${env}-${hexMac(deriveKey(key, "backup"), env).slice(0, 8)}`;

/** `20261121T034000Z`: sorts by time, and is allowed in file names everywhere. */
const stamp = (at: Millis): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** `backup:daily`. The scheduler's lock lets one process at a time run it. */
export function createBackups(options: BackupOptions): Module {
  const { database, disk, keep, workFolder, clock, log } = options;
  const prefix = `backups/gatehouse-${tagOf(options.installation)}-`;
  const ours = new RegExp(`^${prefix}\\d{8}T\\d{6}Z\\.db$`);

  /** Removes what a killed run left behind, and nothing else. */
  async function clearWorkFolder(): Promise<void> {
    for (const name of await readdir(workFolder))
      if (name.startsWith(copyName)) await rm(join(workFolder, name), { recursive: true, force: true });
  }

  async function make(name: string, signal: AbortSignal): Promise<number> {
    if (database.backup === undefined) {
      throw new Error(`the ${database.driver} driver makes no backups: use the tools of its server (pg_dump)`);
    }
    const copy = join(workFolder, copyName);
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    await clearWorkFolder();
    try {
      await database.backup(copy, { signal });
      const file = Bun.file(copy);
      const { size } = await disk.put(name, file.stream(), { signal });
      if (size !== file.size) throw new Error(`${name} has ${size} bytes on the disk, not ${file.size}`);
      return size;
    } finally {
      await clearWorkFolder();
      if ((await readdir(workFolder)).length === 0) await rmdir(workFolder);
    }
  }

  async function names(): Promise<string[]> {
    const found: string[] = [];
    let after: string | undefined = "";
    for (let pages = 0; after !== undefined && pages < mostPages; pages += 1) {
      const page = await disk.list({ prefix, after });
      found.push(...page.files.map(({ name }) => name).filter((name) => ours.test(name)));
      after = page.next;
    }
    return found;
  }

  return {
    schedules: [
      {
        name: "backup:daily",
        cron: "40 3 * * *",
        async run(signal) {
          const name = `${prefix}${stamp(clock.now())}.db`;
          const bytes = await make(name, signal);
          // The backup just made is kept even if the clock was ahead when the others were made, so that they sort after it.
          const others = (await names()).filter((other) => other !== name).toReversed();
          const old = others.slice(keep - 1);
          for (const other of old) await disk.delete(other);
          log.info("backup made", { name, disk: disk.name, bytes, removed: old.length });
        },
      },
    ],
  };
}
