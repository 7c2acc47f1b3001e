import { migrations } from "../../migrations/index.ts";
import type { Installation } from "../../src/backup/names.ts";
import type { Examined } from "../../src/backup/reading.ts";
import { createVault, type Vault, type VaultOptions } from "../../src/backup/vault.ts";
import { systemClock } from "../../src/core/clock.ts";
import { examineCopy } from "../../src/drivers/database/backup.schema.ts";
import type { OpenedDatabase } from "../../src/drivers/database/index.ts";
import { restoringOf } from "../../src/drivers/database/open.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";

export const ada: Installation = { name: "app", key: "ada's application key", env: "testing" };

export const examine = (path: string): Promise<Examined> =>
  restoringOf({ driver: "sqlite", path }).examine(path, (copy) => examineCopy(copy, migrations));

/** Returns what only a database in a file can do. */
export function abilitiesOf({ backups, changes }: OpenedDatabase) {
  if (backups === undefined || changes === undefined) throw new Error("the database makes no backups");
  return { backups, changes };
}

export const vaultOf = (disk: Storage, more: Partial<VaultOptions> = {}): Vault =>
  createVault({ disk, installation: ada, clock: systemClock, ...more });
