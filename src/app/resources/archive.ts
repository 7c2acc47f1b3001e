import { createArchive } from "../../backup/index.ts";
import type { Config } from "../../config/index.ts";
import { systemClock } from "../../core/clock.ts";
import { describeDatabase, toolsOfTheServer } from "../../drivers/database/open.ts";
import { openStorage } from "../../drivers/storage/open.ts";

/** The backups on a disk, for the time that a command takes; undefined where no disk has that name. */
export function openArchive({ app, backup, database, storage }: Config, name: string) {
  const settings = storage[name];
  if (settings === undefined) return undefined;
  const { workFolder } = describeDatabase(database);
  if (workFolder === undefined) throw new Error(toolsOfTheServer);
  const disk = openStorage({ config: settings, name, clock: systemClock });
  const archive = createArchive({
    installation: app,
    disk,
    recipient: backup.ageRecipient,
    workFolder,
    workFile: "command.db",
    clock: systemClock,
  });
  return { ...archive, close: disk.close };
}

export type Archive = NonNullable<ReturnType<typeof openArchive>>;
