import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { examineCopy } from "../../src/drivers/database/backup.schema.ts";
import type { Database, OpenedDatabase } from "../../src/drivers/database/index.ts";
import { createMigrator, type Migration } from "../../src/drivers/database/migrate.ts";
import { partsOf } from "../../src/drivers/database/migration/parts.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";

const lastOf020 = "0025_email_sign_in";
const upTo = (id: string): readonly Migration[] => migrations.filter((migration) => migration.id <= id);
const counting = "0037_account_counts";
const day = 86_400_000;

type Opened = Pick<OpenedDatabase, "database" | "indexing">;
const migratorOf = ({ database, indexing }: Opened, list = migrations) =>
  createMigrator({ database, migrations: list, clock: systemClock, indexing });

const addPerson = (database: Database, name: string, seenOn: number): Promise<unknown> =>
  database.run(
    `insert into users (id, username, username_key, email, email_key, display_name, last_seen_at, created_at, updated_at)
     values ($name, $name, $name, $name, $name, $name, $seen, $now, $now)`,
    { name, seen: seenOn * day, now: day },
  );

/** Has people come, go, and be seen on another day. */
async function live(database: Database, turn: number): Promise<void> {
  await addPerson(database, `turn ${turn}`, turn);
  await database.run("update users set last_seen_at = $at where id = 'ada'", { at: (40 + turn) * day });
  await database.run("delete from users where id = $id", { id: `person ${turn}` });
}

/** What is counted, and what is there. */
async function expectCounted(database: Database): Promise<void> {
  const counted = await database.all<{ kind: string; accounts: number }>(
    `select kind, cast(sum(accounts) as bigint) as accounts from account_counts where kind in ('factors', 'new', 'seen')
     group by kind order by kind`,
  );
  const [there] = await database.all<{ n: number }>("select count(*) as n from users");
  const accounts = there?.n ?? 0;
  expect(counted).toEqual(["factors", "new", "seen"].map((kind) => ({ kind, accounts })));
  const seen = `select s.day, s.n from (select last_seen_at / ${day} as day, count(*) as n from users group by last_seen_at / ${day}) s
    where s.n <> (select sum(c.accounts) from account_counts c where c.kind = 'seen' and c.part = s.day * ${day})`;
  expect(await database.all(seen)).toEqual([]);
  const active = `select s.day from (select last_seen_at / ${day} as day, count(*) as n from users group by last_seen_at / ${day}) s
    where s.n > (select coalesce(sum(c.accounts), 0) from account_counts c where c.kind = 'active' and c.part = s.day * ${day})`;
  expect(await database.all(active)).toEqual([]);
}

class Killed extends Error {}

/** Returns the database for a process that is killed before, or right after, what it does in that turn. */
function killedAt(turn: number, when: "before" | "after", { database, indexing }: Opened): Opened {
  let turns = 0;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    turns += 1;
    if (turns === turn && when === "before") throw new Killed();
    const result = await work();
    if (turns === turn) throw new Killed();
    return result;
  };
  return {
    database: { ...database, batch: (statements, options) => guarded(() => database.batch(statements, options)) },
    ...(indexing !== undefined && { indexing: { build: (index) => guarded(() => indexing.build(index)) } }),
  };
}

/** Makes a database of 0.2.0 with some people, `ada` and forty others. */
async function fill(opened: Opened): Promise<void> {
  await migratorOf(opened, upTo(lastOf020)).up();
  for (const name of ["ada", ...Array.from({ length: 40 }, (_, index) => `person ${index + 1}`)])
    await addPerson(opened.database, name, 10);
}

/** Kills the runner at each point of its way, and has another one go on once people have come and gone. */
async function killEverywhere(begin: () => Promise<Opened>, list: readonly Migration[]): Promise<number> {
  let points = 0;
  for (const when of ["before", "after"] as const)
    for (let turn = 1; ; turn += 1) {
      const opened = await begin();
      const outcome = await migratorOf(killedAt(turn, when, opened), list)
        .up()
        .then(
          () => "whole" as const,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error;
            return "killed" as const;
          },
        );
      await live(opened.database, Math.min(turn, 40));
      const left = await migratorOf(opened, list).pending();
      const again = await migratorOf(opened, list).up();
      expect(again.map(({ id }) => id)).toEqual(left);
      expect(await migratorOf(opened, list).pending()).toEqual([]);
      await live(opened.database, 41);
      await expectCounted(opened.database);
      await opened.database.close();
      if (outcome === "whole") break;
      points += 1;
    }
  return points;
}

describe("a migration in parts", () => {
  const folder = sharedFolder();
  const base = join(folder, "base.db");
  const openFile = (path: string): Opened => openDatabase({ driver: "sqlite", path }, { patient: true });
  const beginFile = async (): Promise<Opened> => {
    const path = join(folder, `${Bun.randomUUIDv7()}.db`);
    await cp(base, path);
    return openFile(path);
  };

  beforeAll(async () => {
    const opened = openFile(base);
    await fill(opened);
    await opened.database.close();
  });

  test("is cut at indexes of tables that were there, and at what reads ahead", () => {
    const parts = partsOf(
      `-- additive
       alter table people add column age bigint;
       create table letters (id text);
       create index letters_id on letters (id);
       -- Who is how old.
       create unique index people_age on people (age) where age > 7;
       -- reads ahead
       insert into ages (age, people) select age, count(*) as people from people group by age;`,
    );
    expect(parts.map(({ kind }) => kind)).toEqual(["batch", "index", "rows"]);
    expect(parts[1]).toMatchObject({ name: "people_age", table: "people", partial: true });
    expect(parts[2]).toMatchObject({ table: "ages", columns: ["age", "people"], from: ["people"] });
  });

  test("D-08 a runner that is killed at any point is followed by one that goes on there, while people come and go", async () => {
    const begin = async (): Promise<Opened> => {
      const opened = await beginFile();
      await migratorOf(opened, upTo("0034_provider_ends")).up();
      return opened;
    };
    expect(await killEverywhere(begin, upTo(counting))).toBeGreaterThan(10);
  }, 120_000);

  test("is not rolled back before it is whole, and is gone on with by the text alone that began it", async () => {
    const opened = await beginFile();
    await migratorOf(opened, upTo("0028_grant_browsers")).up();
    const killed = migratorOf(killedAt(3, "before", opened), upTo("0029_metadata"));
    await expect(killed.up()).rejects.toBeInstanceOf(Killed);
    expect(await examineCopy(opened.database, migrations)).toEqual({ schema: "0028_grant_browsers", strange: [] });
    await expect(migratorOf(opened).down()).rejects.toThrow("0029_metadata is applied in part: run migrate");
    const edited = migrations.map((each) =>
      each.id === "0029_metadata" ? { ...each, up: `${each.up}-- edited` } : each,
    );
    await expect(migratorOf(opened, edited).up()).rejects.toThrow("by a release in which its text differs");
    await migratorOf(opened).up();
    await opened.database.close();
  });

  test("says from the rows how long it will take, and what writes wait for", async () => {
    const opened = await beginFile();
    const told = await migratorOf(opened).forecast();
    expect(told).toMatchObject({
      count: migrations.length - upTo(lastOf020).length,
      longest: { what: "users_created_at" },
    });
    expect(told.tables).toContainEqual({ table: "users", rows: 41 });
    expect(told.seconds).toBeGreaterThan(0);
    await migratorOf(opened).up();
    expect(await migratorOf(opened).forecast()).toMatchObject({ count: 0, seconds: 0, tables: [], longest: undefined });
    await opened.database.close();
  });

  describe.skipIf(postgresMissing !== undefined)(`on Postgres (${postgresMissing ?? "real"})`, () => {
    let server: Postgres;
    const openAt = (url: string): Opened => openDatabase({ driver: "postgres", path: "", url }, { patient: true });

    /** Returns what makes copies of a database to which all migrations before this one are applied, and resolves to their URLs. */
    async function copiesBefore(id: string): Promise<() => Promise<string>> {
      const name = `before_${id}`;
      const { url } = await server.createDatabase({ name });
      const opened = openAt(url);
      await fill(opened);
      await migratorOf(
        opened,
        migrations.filter((migration) => migration.id < id),
      ).up();
      await opened.database.close();
      return async () => (await server.createDatabase({ template: name })).url;
    }

    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.stop());

    test("D-08 a runner that is killed at any point is followed by one that goes on there", async () => {
      const copy = await copiesBefore(counting);
      expect(await killEverywhere(async () => openAt(await copy()), upTo(counting))).toBeGreaterThan(4);
    }, 240_000);

    test("D-09 an index that was interrupted is dropped and built anew, and of two runners one builds it", async () => {
      const copy = await copiesBefore("0029_metadata");
      const url = await copy();
      const [first, second, other] = [openAt(url), openAt(url), openAt(url)];
      // A transaction that is older than the index is what its build waits for.
      const hold = other.database.batch([
        { sql: "insert into cache_entries (cache, entry_key, value) values ('c', 'k', 'v')" },
        { sql: "select pg_sleep(6)" },
      ]);
      const list = upTo("0029_metadata");
      const interrupted = migratorOf(first, list)
        .up()
        .then(
          () => "whole",
          () => "cut",
        );
      const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity where query like 'create unique index concurrently%users_external_id%' and wait_event_type = 'Lock'`;
      await eventually("the index waits", async () => (await second.database.all(end)).length > 0);
      expect(await interrupted).toBe("cut");
      const broken = "select indexrelid::regclass::text as name from pg_index where not indisvalid";
      expect(await second.database.all(broken)).toEqual([{ name: "users_external_id" }]);

      const runs = await Promise.all([migratorOf(first, list).up(), migratorOf(second, list).up()]);
      expect(runs.flat().map(({ id }) => id)).toEqual(["0029_metadata"]);
      expect(await second.database.all(broken)).toEqual([]);
      const made = "select count(*) as n from pg_indexes where indexname in ('users_external_id', 'users_created_at')";
      expect(await second.database.all<{ n: number }>(made)).toEqual([{ n: 2 }]);
      await hold;
      await Promise.all([first, second, other].map(({ database }) => database.close()));
    }, 120_000);
  });
});
