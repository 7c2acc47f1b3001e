import { migrations } from "../../../migrations/index.ts";
import { auditRow } from "../../audit/index.ts";
import { type ArchiveOptions, createArchive } from "../../backup/archive.ts";
import { createChangeReader } from "../../backup/changes/reader.ts";
import type { Contents } from "../../backup/drill.ts";
import type { Config } from "../../config/index.ts";
import { auditEntry, byOperator, type By } from "../../core/audit.ts";
import { systemClock } from "../../core/clock.ts";
import type { CheckOptions, Database } from "../../drivers/database/index.ts";
import { checkBackup, examineCopy } from "../../drivers/database/backup.schema.ts";
import { describeDatabase, openDatabase, restoringOf } from "../../drivers/database/open.ts";
import { openStorage } from "../../drivers/storage/open.ts";
import type { Log } from "../../observe/index.ts";

export type { SeriesSummary } from "../../backup/changes/reader.ts";
export { drill, mostAgeOf, type Contents } from "../../backup/drill.ts";
export { backUpToFile, inPlainFile } from "../../backup/plain.file.ts";
export { manifestEnding } from "../../backup/manifest.ts";
export type { Work } from "../../backup/work.folder.ts";
export { readIdentities } from "../../backup/vault.ts";

/** Reads a whole backup and returns what it holds. Throws where the backup could not take the database's place. */
export async function readContents(
  { database }: Config,
  path: string,
  name: string,
  checking: CheckOptions,
): Promise<Contents> {
  let pending: readonly string[] = [];
  const tables = await restoringOf(database).verify({
    ...checking,
    input: path,
    name,
    check: async (backup) => void (pending = await checkBackup(backup, name, migrations)),
  });
  return { tables, pending };
}

interface Restoring extends CheckOptions {
  readonly input: string;
  /** How messages call the backup. */
  readonly name: string;
  readonly sha256?: string | undefined;
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** Puts a backup into the database's place. Resolves to the migrations that the backup lacks. */
export async function restoreFrom({ database }: Config, { name, ...options }: Restoring): Promise<readonly string[]> {
  let pending: readonly string[] = [];
  await restoringOf(database).restore({
    ...options,
    check: async (backup) => void (pending = await checkBackup(backup, name, migrations)),
  });
  return pending;
}

/** Returns the function that examines a copy of the database that was just made. */
export const examineWith =
  ({ database }: Pick<Config, "database">): ArchiveOptions["examine"] =>
  (path) =>
    restoringOf(database).examine(path, (copy) => examineCopy(copy, migrations));

/**
 * Returns the options by which manifests tell backups of this installation from others. With `unproven`, which gets the reason, backups
 * that nothing proves are let through.
 */
export const manifestOptions = ({ app }: Pick<Config, "app">, unproven?: (why: string) => void) => ({
  installation: app,
  clock: systemClock,
  unproven,
});

/**
 * Returns where a command puts what it fetches, and removes it afterwards. Throws for a database that only its server's own tools back up.
 */
export function workPlace({ database }: Config) {
  const { workFolder, requireRoom } = restoringOf(database);
  return { workFolder, workFile: "command.db", requireRoom };
}

interface Reading {
  readonly identities: readonly string[];
  readonly unproven: ((why: string) => void) | undefined;
}

/** Opens the backups on a disk for as long as a command runs. Returns undefined where no disk has that name. */
export function openArchive(config: Config, name: string, { identities, unproven }: Reading) {
  const { backup, storage } = config;
  const settings = storage[name];
  if (settings === undefined) return undefined;
  const place = workPlace(config);
  const disk = openStorage({ config: settings, name, clock: systemClock });
  const options: ArchiveOptions = {
    ...place,
    ...manifestOptions(config, unproven),
    disk,
    recipient: backup.ageRecipient,
    identities,
    examine: examineWith(config),
  };
  return { ...createArchive(options), changes: createChangeReader(options), close: disk.close };
}

export type Archive = NonNullable<ReturnType<typeof openArchive>>;

interface DrillRecord {
  readonly config: Pick<Config, "app">;
  readonly by: By;
  readonly failed: boolean;
}

export const drillRow = ({ config, by, failed }: DrillRecord) =>
  auditRow(
    config.app,
    auditEntry(
      { topic: "backup.drilled", payload: { count: 1 }, by, ...(failed && { outcome: "failure" }) },
      systemClock.now(),
    ),
  );

/** Records in the audit log how a drill at the command line went, if this host has the database. A failure to record is only logged. */
export async function recordDrill({ config, log }: { readonly config: Config; readonly log: Log }, failed: boolean) {
  if (!(await describeDatabase(config.database).exists())) return;
  let database: Database | undefined;
  try {
    ({ database } = openDatabase(config.database, { create: false, log }));
    await database.batch([drillRow({ config, by: byOperator, failed })]);
  } catch (error) {
    log.warn("the drill could not be recorded", { error });
  } finally {
    await database?.close();
  }
}
