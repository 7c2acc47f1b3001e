import { SQL } from "bun";
import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { copyRows, openSource, openTarget, type CopyPlace } from "../../src/drivers/database/copy/index.ts";
import { pageOf, rowsOf, type CopyTarget } from "../../src/drivers/database/copy/side.ts";
import { tablesToCopy } from "../../src/drivers/database/copy/copy.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { folderOfEachTest } from "../support/folder.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";

const folder = folderOfEachTest();

test("tables are copied after those that they refer to, and a circle is a mistake of the schema", () => {
  const table = (name: string, ...references: string[]) => ({ name, columns: [], key: ["id"], references });
  const tables = [table("a", "c"), table("b"), table("c", "b"), table("schema_head")];
  expect(tablesToCopy(tables, tables).map(({ name }) => name)).toEqual(["b", "c", "a"]);
  const circle = [table("a", "b"), table("b", "a")];
  expect(() => tablesToCopy(circle, circle)).toThrow("refer to one another in a circle");
  expect(() => tablesToCopy(tables, [table("b"), table("d")])).toThrow("a, c, d: the two databases have not the same");
});

test("rows with different values have different lines, which hold the values", () => {
  const rows = [
    ["a", null],
    ["a", ""],
    ["a", "\\N"],
    ["a\t", null],
    ["a\\t", null],
    ["a", 1],
    ["a\n", "b"],
    ["\b\f\v\r", "\\\\N"],
  ];
  expect(new Set(rows.map((row) => pageOf([row]).lines)).size).toBe(rows.length);
  expect(pageOf([["a\tb\\", null, 7]])).toEqual({ lines: "a\\tb\\\\\t\\N\t7\n", rows: 1 });
  const columns = [
    { name: "a", kind: "text" },
    { name: "b", kind: "text" },
  ] as const;
  const texts = rows.filter(([, value]) => value !== 1);
  const { lines } = pageOf(texts);
  expect(rowsOf({ lines: new TextEncoder().encode(String(lines)), rows: 0 }, { columns })).toEqual(texts);
});

describe.skipIf(postgresMissing !== undefined)("a copy between SQLite and PostgreSQL", () => {
  let server: Postgres;

  beforeAll(async () => {
    server = await startPostgres();
  }, 90_000);
  afterAll(async () => server?.stop(), 60_000);

  async function migrated(place: CopyPlace): Promise<CopyPlace> {
    const { database } = openDatabase(place, {});
    await createMigrator({ database, migrations, clock: systemClock }).up();
    await database.close();
    return place;
  }
  const newFile = () => migrated({ driver: "sqlite", path: join(folder(), `${Math.random()}.db`) });
  const newDatabase = async () => migrated({ driver: "postgres", path: "", ...(await server.createDatabase()) });

  async function copy(from: CopyPlace, to: CopyPlace, onProgress = (): void => undefined) {
    await using source = await openSource(from);
    await using target = await openTarget(to);
    return await copyRows({ source, target, signal: new AbortController().signal, onProgress });
  }

  const addEvent = `insert into audit_events (id, at, app, action, outcome, actor, count)
    values ('event' || $n, 3600000, 'app', 'auth.login', 'success', 'user', 1)`;

  const addAccount = `insert into users (id, username, username_key, email, email_key, display_name, created_at, updated_at, last_seen_at)
    values ('user' || $n, $n, $n, $n, $n, '', 1, 1, 86400000)`;
  const accounts = "select kind, cast(sum(accounts) as integer) as n from account_counts group by kind order by kind";
  const accountsOf = (n: number) => ["active", "factors", "new", "seen"].map((kind) => ({ kind, n }));

  test("D-27 what triggers count is copied once, and they count again afterwards", async () => {
    const from = await newFile();
    const file = new File(from.path);
    for (const n of [1, 2, 3]) file.run(addEvent.replace("$n", String(n)));
    for (const n of [1, 2]) file.run(addAccount.replaceAll("$n", `'${n}'`));
    file.close();
    const to = await newDatabase();
    const back = await newFile();
    await copy(from, to);
    await copy(to, back);
    await using sql = new SQL(to.url ?? "", { max: 1 });
    const counted = async () =>
      (await sql.unsafe<{ events: string }[]>("select sum(events) as events from audit_hours"))[0]?.events;
    expect(await counted()).toBe("3");
    const countedAccounts = async () => [...(await sql.unsafe<{ kind: string; n: number }[]>(accounts))];
    expect(await countedAccounts()).toEqual(accountsOf(2));
    await sql.unsafe("delete from users where id = 'user1'");
    expect(await countedAccounts()).toEqual(accountsOf(1));
    await sql.unsafe(addEvent.replace("$n", "4"));
    expect(await counted()).toBe("4");
    await expect(sql.unsafe("delete from audit_events").execute()).rejects.toThrow("append-only");
    using returned = new File(back.path);
    returned.run(addEvent.replace("$n", "4"));
    expect(returned.query<{ kind: string; n: number }, []>(accounts).all()).toEqual(accountsOf(2));
    returned.run(addAccount.replaceAll("$n", "'3'"));
    expect(returned.query<{ kind: string; n: number }, []>(accounts).all()).toEqual(accountsOf(3));
    expect(returned.query("select sum(events) as events from audit_hours").get()).toEqual({ events: 4 });
    expect(() => returned.run("delete from audit_events")).toThrow("append-only");
  }, 60_000);

  test("D-27 a source that somebody has open is refused before the first row, and so is whoever opens it during the copy", async () => {
    const from = await newFile();
    const to = await newDatabase();
    let steps = 0;
    const count = (): void => void (steps += 1);
    const file = new File(from.path);
    file.run(addEvent.replace("$n", "1"));
    await expect(copy(from, to, count)).rejects.toThrow(`${from.path} is in use: stop every process that has it open`);
    file.close(true);
    expect(steps).toBe(0);
    const refused: unknown[] = [];
    const write = (): void => {
      using late = new File(from.path);
      try {
        late.run("insert into cache_entries values ('default', 'late', '1', null)");
      } catch (error) {
        refused.push(error);
      }
    };
    expect((await copy(from, to, write)).wasThere).toBe(false);
    expect(refused.length).toBeGreaterThan(0);
    expect(String(refused[0])).toContain("locked");

    const back = await newFile();
    const { database } = openDatabase(to, {});
    await database.get("select 1 as one");
    steps = 0;
    await expect(copy(to, back, count)).rejects.toThrow(
      /is in use: connections from 127\.0\.0\.1 \(\d+\): stop every process/,
    );
    await database.close();
    expect(steps).toBe(0);
    await expect(openSource({ ...to, url: `${to.url}?pooler=true` })).rejects.toThrow("stands behind a pooler");
    await using sql = new SQL(to.url ?? "", { max: 1 });
    let late = 0;
    const tryToWrite = (): void => {
      const query = "set lock_timeout = '10ms'; insert into cache_entries values ('default', 'late', '1', null)";
      void sql
        .unsafe(query)
        .simple()
        .then(undefined, () => (late += 1));
    };
    await copy(to, back, tryToWrite);
    await sql.unsafe("select 1");
    expect(late).toBeGreaterThan(0);
  }, 60_000);

  test("D-27 indexes, references and triggers of the target are there again as they were", async () => {
    const from = await newFile();
    const to = await newDatabase();
    const back = await newFile();
    await using sql = new SQL(to.url ?? "", { max: 1 });
    const partsOfPostgres = () =>
      sql.unsafe<{ part: string }[]>(
        `select pg_get_indexdef(indexrelid) as part from pg_index where indrelid::regclass::text not like 'pg\\_%' union all
         select conrelid::regclass || conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace union all
         select tgrelid::regclass || tgname || tgenabled::text from pg_trigger where not tgisinternal order by part`,
      );
    const partsOfSqlite = () => {
      using file = new File(back.path);
      return file.query("select type, name, tbl_name, sql from sqlite_schema order by type, name").all();
    };
    const before = [[...(await partsOfPostgres())], partsOfSqlite()];
    expect(before.map(({ length }) => length > 50)).toEqual([true, true]);
    await copy(from, to);
    await copy(to, back);
    expect([[...(await partsOfPostgres())], partsOfSqlite()]).toEqual(before);
  }, 60_000);

  test("D-27 rows that arrive otherwise than they left undo the copy", async () => {
    const from = await newFile();
    const file = new File(from.path);
    file.run("insert into cache_entries values ('default', 'key', 'what was written', null)");
    file.close();
    const to = await newDatabase();
    {
      await using source = await openSource(from);
      await using target = await openTarget(to);
      // A database that keeps something else than it was given.
      const spoiling: CopyTarget = {
        tables: target.tables,
        count: target.count,
        pages: target.pages,
        location: target.location,
        hold: target.hold,
        strip: target.strip,
        clear: target.clear,
        dress: target.dress,
        commit: target.commit,
        [Symbol.asyncDispose]: target[Symbol.asyncDispose],
        write: (table, { lines, rows }) =>
          target.write(table, { lines: String(lines).replace("what was written", "something else"), rows }),
      };
      const signal = new AbortController().signal;
      await expect(copyRows({ source, target: spoiling, signal, onProgress: () => undefined })).rejects.toThrow(
        "cache_entries: what was copied differs from the source. It was undone",
      );
    }
    await using sql = new SQL(to.url ?? "", { max: 1 });
    expect(await sql.unsafe("select 1 from cache_entries")).toHaveLength(0);
  }, 60_000);

  test("D-27 as many rows as the source has are not those of the source", async () => {
    const from = await newFile();
    const file = new File(from.path);
    file.run("insert into cache_entries values ('default', 'key', 'what was written', null)");
    file.close();
    const to = await newDatabase();
    expect((await copy(from, to)).wasThere).toBe(false);
    expect((await copy(from, to)).wasThere).toBe(true);
    await using sql = new SQL(to.url ?? "", { max: 1 });
    await sql.unsafe("update cache_entries set value = 'something else'");
    await expect(copy(from, to)).rejects.toThrow("has rows of its own: cache_entries");
  }, 60_000);

  test("several pages of texts of all kinds arrive in the order of their bytes", async () => {
    const from = await newFile();
    const to = await newDatabase();
    const file = new File(from.path);
    const add = file.prepare("insert into cache_entries values (?, ?, ?, null)");
    const words = [
      "a",
      "B",
      "ä",
      "Z",
      "\u{1F600}",
      "\uFFFD",
      " ",
      "\t",
      "\\",
      "\n",
      "-",
      "_",
      "'",
      '"',
      "\u007f",
      "\u0001",
    ];
    file.transaction(() => {
      for (let n = 0; n < 4_500; n += 1)
        add.run(words[n % 16] ?? "", `${words[(n * 7) % 16]}${words[(n * 3) % 16]}${n}`, words.join(""));
    })();
    add.finalize();
    file.close(true);
    const { tables } = await copy(from, to);
    const back = await newFile();
    expect(await copy(to, back)).toEqual({ tables, wasThere: false });
    expect(tables.find(({ table }) => table === "cache_entries")?.rows).toBe(4_500);
    expect(await copy(from, to)).toEqual({ tables, wasThere: true });
  }, 60_000);
});
