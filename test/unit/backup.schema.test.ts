import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { BackupCapability, Database } from "../../src/drivers/database/index.ts";
import { createMigrator, type Migrator } from "../../src/drivers/database/migrate.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { examine } from "../support/backups.ts";

let folder: string;
let database: Database;
let backups: BackupCapability;
let migrator: Migrator;
let copies = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  ({ database, backups } = createSqliteDatabase({ path: join(folder, "app.db"), name: "default" }));
  migrator = createMigrator({ database, migrations, clock: systemClock });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

async function examined() {
  const copy = join(folder, `copy-${(copies += 1)}.db`);
  await backups.backUp(copy);
  return examine(copy);
}
async function strangeAfter(sql: string): Promise<readonly string[]> {
  const copy = join(folder, `copy-${(copies += 1)}.db`);
  await backups.backUp(copy);
  const connection = new Connection(copy);
  for (const statement of sql.split("\n")) connection.run(statement);
  connection.close();
  return (await examine(copy)).strange;
}

test("B-48 the schema of every release is that of its migrations, after rollbacks too", async () => {
  for (const { id } of migrations) {
    await migrator.up({ step: 1 });
    expect(await examined()).toEqual({ schema: id, strange: [] });
  }
  for (let undone = 1; undone < migrations.length; undone *= 2) {
    await migrator.down({ step: undone });
    expect(await examined()).toEqual({ schema: migrations.at(-1 - undone)?.id ?? "", strange: [] });
    await migrator.up();
    expect((await examined()).strange).toEqual([]);
  }
}, 60_000);

test("B-48 what was planted, removed or changed is named, and what SQLite keeps for itself is not", async () => {
  await migrator.up();
  const planted: Record<string, readonly string[]> = {
    "create trigger thief after insert on users begin select 1; end": [
      'trigger "thief" of table "users" was made by no migration',
    ],
    "create view people as select * from users": ['view "people" was made by no migration'],
    "create table loot (mail text unique)": [
      'index "sqlite_autoindex_loot_1" of table "loot" was made by no migration',
      'table "loot" was made by no migration',
    ],
    "create index slow on users (display_name)": ['index "slow" of table "users" was made by no migration'],
    "drop index users_roles": ['index "users_roles" of table "users" is missing'],
    "drop trigger mails_counted_first\ncreate trigger mails_counted_first after insert on mails begin select 1; end": [
      'trigger "mails_counted_first" of table "mails" is not as its migration made it',
    ],
    "alter table users add column backdoor text": ['table "users" is not as its migration made it'],
    analyze: [],
    vacuum: [],
  };
  for (const [sql, strange] of Object.entries(planted))
    expect({ sql, strange: await strangeAfter(sql) }).toEqual({ sql, strange });
});

test("the schema of a newer release is taken as it is: a release that was rolled back makes backups all the same", async () => {
  await migrator.up();
  await database.run("create table nines (one text)");
  await database.run("insert into schema_migrations values ('9001_nines', 'additive', 'x', 1)");
  expect(await examined()).toEqual({ schema: "9001_nines", strange: [] });
});
