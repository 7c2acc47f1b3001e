import { SQL } from "bun";
import { Database as File } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { copyRows, openSource, openTarget, type CopyPlace } from "../../src/drivers/database/copy/index.ts";
import { rowsText, type CopyTarget } from "../../src/drivers/database/copy/side.ts";
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

test("rows with different values have different texts", () => {
  const rows = [
    ["a", null],
    ["a", ""],
    ["a", "\\N"],
    ["a\t", null],
    ["a\\t", null],
    ["a", 1],
    ["a\n", "b"],
  ];
  expect(new Set(rows.map((row) => rowsText([row]))).size).toBe(rows.length);
  expect(rowsText([["a\tb\\", null, 7]])).toBe("a\\tb\\\\\t\\N\t7\n");
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

  test("D-27 a source that was written to meanwhile undoes the copy", async () => {
    const from = await newFile();
    const to = await newDatabase();
    using file = new File(from.path);
    file.run(addEvent.replace("$n", "1"));
    const write = (): void => void file.run("insert into cache_entries values ('default', random(), '1', null)");
    await expect(copy(from, to, write)).rejects.toThrow("was written to meanwhile");
    expect((await copy(from, to)).wasThere).toBe(false);
    // A copy keeps writers out of the database that it reads.
    const back = await newFile();
    await using sql = new SQL(to.url ?? "", { max: 1 });
    let refused = 0;
    const tryToWrite = (): void => {
      const query = "set lock_timeout = '10ms'; insert into cache_entries values ('default', 'late', '1', null)";
      void sql
        .unsafe(query)
        .simple()
        .then(undefined, () => (refused += 1));
    };
    await copy(to, back, tryToWrite);
    await sql.unsafe("select 1");
    expect(refused).toBeGreaterThan(0);
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
        clear: target.clear,
        commit: target.commit,
        [Symbol.asyncDispose]: target[Symbol.asyncDispose],
        write: (table, rows) =>
          target.write(
            table,
            rows.map((row) => row.map((value) => (value === "what was written" ? "something else" : value))),
          ),
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
    using file = new File(from.path);
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
    const { tables } = await copy(from, to);
    expect(tables.find(({ table }) => table === "cache_entries")?.rows).toBe(4_500);
    expect(await copy(from, to)).toEqual({ tables, wasThere: true });
  }, 60_000);
});
