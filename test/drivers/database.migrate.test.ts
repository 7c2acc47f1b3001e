import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations as released } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { hasTable } from "../../src/drivers/database/catalogue.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createMigrator, type Migration, MigrationError } from "../../src/drivers/database/migrate.ts";
import { splitStatements } from "../../src/drivers/database/migration/script.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";

const people: Migration = {
  id: "0001_people",
  up: "-- additive\ncreate table people (id text primary key);\ncreate index people_id on people (id);\n",
  down: "drop table people;",
};
const letters: Migration = {
  id: "0002_letters",
  up: "-- additive\ncreate table letters (id text primary key);",
  down: "drop table letters;",
};
const renamed: Migration = {
  id: "0003_posts",
  up: "-- breaking\nalter table letters rename to posts;",
  down: "alter table posts rename to letters;",
};

describe("migrations", () => {
  let folder: string;
  let path: string;
  const open: Database[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-migrate-"));
    path = join(folder, "app.db");
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    rmSync(folder, { recursive: true });
  });

  function opened(): Database {
    const { database } = createSqliteDatabase({ path, name: "default" });
    open.push(database);
    return database;
  }

  const migrator = (migrations: readonly Migration[], database = opened()) =>
    createMigrator({ database, migrations, clock: systemClock });
  const ids = (steps: readonly { id: string }[]): string[] => steps.map(({ id }) => id);

  test("what is released goes up, down to nothing and up again", async () => {
    const database = opened();
    const subject = migrator(released, database);
    const tables = () =>
      database.all<{ sql: string }>(
        "select sql from sqlite_schema where name not like 'sqlite_%' and name not like 'schema_%' order by name",
      );
    expect(ids(await subject.up())).toEqual(ids(released));
    const first = await tables();
    expect(ids(await subject.down({ step: released.length }))).toEqual(ids(released.toReversed()));
    expect(await tables()).toEqual([]);
    expect(await subject.pending()).toEqual(ids(released));
    await subject.up();
    expect(await tables()).toEqual(first);
    expect(await subject.up()).toEqual([]);
  });

  test("status and pending change nothing, a dry run neither", async () => {
    const database = opened();
    const subject = migrator([people, renamed], database);
    expect(await subject.pending()).toEqual(["0001_people", "0003_posts"]);
    expect(ids(await subject.up({ dryRun: true }))).toEqual(["0001_people", "0003_posts"]);
    expect(await subject.status()).toEqual([
      { id: "0001_people", kind: "additive", state: "pending", appliedAt: null },
      { id: "0003_posts", kind: "breaking", state: "pending", appliedAt: null },
    ]);
    expect(await hasTable(database, "schema_migrations")).toBe(false);
  });

  test("step limits how many go up or down", async () => {
    const subject = migrator([people, letters, renamed]);
    expect(ids(await subject.up({ step: 2 }))).toEqual(["0001_people", "0002_letters"]);
    expect(ids(await subject.down())).toEqual(["0002_letters"]);
    expect(await subject.pending()).toEqual(["0002_letters", "0003_posts"]);
  });

  test("a migration that fails halfway leaves nothing of itself, and those before it", async () => {
    const database = opened();
    const broken = { ...letters, up: `${letters.up}\ninsert into nowhere values (1);` };
    await expect(migrator([people, broken], database).up()).rejects.toThrow("nowhere");
    expect(await hasTable(database, "people")).toBe(true);
    expect(await hasTable(database, "letters")).toBe(false);
    expect(ids(await migrator([people, letters], database).up())).toEqual(["0002_letters"]);
  });

  test("an applied migration whose text was changed is an error that names it", async () => {
    const database = opened();
    await migrator([people, letters], database).up();
    const edited = migrator([people, { ...letters, up: `${letters.up} -- edited` }], database);
    for (const verb of [edited.up, edited.down, edited.pending]) {
      await expect(verb()).rejects.toThrow("0002_letters differs");
    }
    expect((await edited.status()).map(({ state }) => state)).toEqual(["applied", "changed"]);
  });

  test("a database from a newer release is not migrated, but served while what was added is additive", async () => {
    const database = opened();
    await migrator([people, letters], database).up();
    const older = migrator([people], database);
    expect(await older.pending()).toEqual([]);
    expect((await older.status()).map(({ state }) => state)).toEqual(["applied", "unknown"]);
    await expect(older.up()).rejects.toThrow(MigrationError);
    await expect(older.down()).rejects.toThrow("0002_letters");
    await migrator([people, letters, renamed], database).up();
    await expect(older.pending()).rejects.toThrow("0003_posts");
  });

  test("a migration numbered before an applied one is refused", async () => {
    const database = opened();
    await migrator([people, renamed], database).up({ step: 1 });
    await migrator([people, { ...letters, id: "0003_letters" }], database).up();
    const late = migrator([people, { ...letters, id: "0002_late" }, { ...letters, id: "0003_letters" }], database);
    await expect(late.up()).rejects.toThrow("0002_late");
  });

  test("a list that is out of order or lacks its kind is refused at once", () => {
    const database = opened();
    expect(() => migrator([letters, people], database)).toThrow("before");
    expect(() => migrator([people, { ...letters, id: "0001_letters" }], database)).toThrow("before");
    expect(() => migrator([{ ...people, id: "people" }], database)).toThrow("name");
    expect(() => migrator([{ ...people, up: "create table people (id text);\n-- additive\n" }], database)).toThrow(
      "first line",
    );
  });

  test("of several runners at the same time each migration is applied by one", async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrator([people, letters, renamed]).up()));
    expect(ids(runs.flat()).toSorted()).toEqual(["0001_people", "0002_letters", "0003_posts"]);
    expect(await migrator([people, letters, renamed]).pending()).toEqual([]);
  });
});

describe("a script is split", () => {
  test("at its semicolons, without empty statements and comments alone", () => {
    expect(splitStatements("-- additive\nselect 1;;\n select 2 -- two; too\n; /* three; */ ")).toEqual([
      "-- additive\nselect 1",
      "select 2 -- two; too",
    ]);
  });

  test("not inside strings, quoted names and dollar-quoted bodies", () => {
    const statements = ["select 'it''s; fine', \"a;b\"", "create function f() as $x$ a; b; $x$", "select $$;$$"];
    expect(splitStatements(statements.join(";\n"))).toEqual(statements);
  });

  test("not inside a trigger's body", () => {
    const trigger =
      "create trigger t after insert on a begin update a set n = case when 1 then 2 end; delete from b; end";
    expect(splitStatements(`${trigger};\nselect 1;`)).toEqual([trigger, "select 1"]);
    const postgres = "create trigger t after insert on a execute function f()";
    expect(splitStatements(`${postgres}; select 1`)).toEqual([postgres, "select 1"]);
  });
});
