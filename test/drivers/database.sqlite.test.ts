import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Database, DatabaseUnavailable } from "../../src/drivers/database/index.ts";
import { describeDatabase, openDatabase, restoringOf } from "../../src/drivers/database/open.ts";
import { translate } from "../../src/drivers/database/sqlite/errors.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { databaseConformance } from "./database.conformance.ts";

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "gatehouse-sqlite-"));

databaseConformance("sqlite", async () => {
  const folder = temporaryFolder();
  const { database, health } = createSqliteDatabase({ path: join(folder, "app.db"), name: "default" });
  return {
    database,
    health,
    async dispose() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe("a sqlite file", () => {
  let folder: string;
  let path: string;
  const open: Database[] = [];

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "data", "app.db");
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    rmSync(folder, { recursive: true });
  });

  function openedWhole(options: { lockTimeoutMs?: number; create?: boolean } = {}) {
    const whole = createSqliteDatabase({ path, name: "default", ...options });
    open.push(whole.database);
    return whole;
  }
  const opened = (options?: Parameters<typeof openedWhole>[0]): Database => openedWhole(options).database;

  async function withFacts(): Promise<Database> {
    const database = opened();
    await database.run("create table facts (id text primary key)");
    await database.run("create table counters (n bigint not null)");
    await database.run("insert into counters (n) values (0)");
    return database;
  }

  const spawnWriter = (...more: string[]) =>
    Bun.spawn([process.execPath, join(import.meta.dir, "database.writer.process.ts"), path, ...more], {
      stderr: "inherit",
    });

  /** Starts another process that has the log alone for that time. */
  async function lockLog(heldMs: number) {
    const script = join(import.meta.dir, "database.locker.process.ts");
    const locker = Bun.spawn([process.execPath, script, path, String(heldMs)], { stderr: "inherit" });
    expect((await locker.stdout.getReader().read()).done).toBe(false);
    return { locker, released: locker.exited };
  }

  test("file and folder are made for their owner alone", async () => {
    await opened().run("create table facts (id text)");
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("an absent file is an error that names the migrate command, where it may not be made", () => {
    expect(() => opened({ create: false })).toThrow("migrate");
  });

  test("where it is, and whether it is there, is known without opening or making it", async () => {
    const described = describeDatabase({ driver: "sqlite", path });
    const { driver, location } = described;
    expect({ driver, location }).toEqual({ driver: "sqlite", location: path });
    expect(restoringOf({ driver: "sqlite", path }).workFolder).toBe(`${path}.backing-up`);
    expect(await described.exists()).toBe(false);
    await openedWhole().health.ping();
    expect(await described.exists()).toBe(true);
    expect(describeDatabase({ driver: "sqlite", path: "data/app.db" }).location).toBe(resolve("data/app.db"));
  });

  test("what is no database, no file or no place for one is refused in plain words", () => {
    expect(() => createSqliteDatabase({ path: ":memory:", name: "default" })).toThrow("path of a file");
    path = join(folder, "letter.txt");
    writeFileSync(path, "Dear Ada, this is not a database. ".repeat(100));
    expect(() => opened()).toThrow("not a SQLite database");
    path = join(folder, "letter.txt", "app.db");
    expect(() => opened()).toThrow(DatabaseUnavailable);
    expect(() => openDatabase({ driver: "oracle", path }, {})).toThrow('unknown database driver "oracle"');
  });

  test("a folder that can't be written to is refused", () => {
    // Not even root may make a file there.
    path = "/proc/app.db";
    expect(() => opened()).toThrow("can't be opened for writing");
  });

  test("a full disk is DatabaseUnavailable, a broken constraint and a wrong statement stay themselves", () => {
    using connection = new Connection(":memory:", { strict: true });
    connection.run("create table letters (body text unique)");
    connection.run("insert into letters values ('Dear Ada')");
    connection.run("pragma max_page_count = 4");
    const failure = (sql: string): unknown => {
      try {
        return connection.run(sql);
      } catch (error) {
        return translate("default", error);
      }
    };
    const full = failure("insert into letters values (zeroblob(100000))");
    expect(full).toBeInstanceOf(DatabaseUnavailable);
    expect(String(full)).toContain("the disk is full");
    for (const [sql, message] of [
      ["insert into letters values ('Dear Ada')", "UNIQUE constraint failed"],
      ["insert into nowhere values (1)", "no such table"],
    ] as const) {
      expect(failure(sql)).not.toBeInstanceOf(DatabaseUnavailable);
      expect(String(failure(sql))).toContain(message);
    }
  });

  test("text with NUL comes back whole", async () => {
    const database = await withFacts();
    await database.run("insert into facts (id) values ($id)", { id: "before\0after" });
    expect(await database.all("select id from facts where id = $id", { id: "before\0after" })).toEqual([
      { id: "before\0after" },
    ]);
  });

  test("get and all refuse to write", async () => {
    const database = await withFacts();
    await expect(database.get("insert into facts (id) values ('x') returning id")).rejects.toThrow("only read");
    await expect(database.all("delete from facts returning id")).rejects.toThrow("only read");
    expect(await database.get("select count(*) as n from facts")).toEqual({ n: 0 });
  });

  test("many different statements pass through a bounded cache", async () => {
    const database = await withFacts();
    const answers = await Promise.all(Array.from({ length: 600 }, (_, n) => database.get(`select ${n} as n`)));
    expect(answers).toEqual(Array.from({ length: 600 }, (_, n) => ({ n })));
  });

  test("a column that another connection adds shows in statements used before", async () => {
    const database = await withFacts();
    expect(await database.get("select * from counters")).toEqual({ n: 0 });
    await opened().run("alter table counters add column note text");
    expect(await database.get("select * from counters")).toEqual({ n: 0, note: null });
  });

  test("more than ten thousand waiting reads or writes are refused, those before are served", async () => {
    const database = await withFacts();
    const sql = "update counters set n = n + 1";
    const writes = await Promise.allSettled(Array.from({ length: 10_001 }, () => database.run(sql)));
    const refused = writes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1);
    expect(await database.get("select n from counters")).toEqual({ n: 10_000 });
    const reads = await Promise.allSettled(Array.from({ length: 10_001 }, () => database.get("select 1 as one")));
    expect(reads.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });

  test("a write waits for another connection's lock while the process goes on", async () => {
    const database = await withFacts();
    using other = new Connection(path);
    other.run("begin immediate");
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const write = database.run("update counters set n = 7");
    expect(await database.get("select n from counters")).toEqual({ n: 0 });
    while (turns < 20) await Bun.sleep(1);
    other.run("commit");
    expect((await write).changes).toBe(1);
    clearInterval(turning);
  });

  test("a write that gets no lock in time is refused and not made later", async () => {
    await withFacts();
    const database = opened({ lockTimeoutMs: 30 });
    using other = new Connection(path);
    other.run("begin immediate");
    const outcome = await database.run("update counters set n = 7").catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(DatabaseUnavailable);
    other.run("commit");
    expect((await database.run("insert into facts (id) values ('later')")).changes).toBe(1);
    expect(await database.get("select n from counters")).toEqual({ n: 0 });
  });

  test("a read waits for the recovery of the log by another process", async () => {
    const database = await withFacts();
    const { released } = await lockLog(100);
    expect(await database.get("select n from counters")).toEqual({ n: 0 });
    await released;
  });

  test("reads that can't wait so long are refused together, and the next ones served", async () => {
    const database = await withFacts();
    const { locker, released } = await lockLog(30_000);
    const started = performance.now();
    const reads = await Promise.allSettled(Array.from({ length: 20 }, () => database.get("select n from counters")));
    expect(performance.now() - started).toBeLessThan(2_500);
    for (const read of reads)
      expect(read).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
    locker.kill("SIGKILL");
    await released;
    expect(await database.get("select n from counters")).toEqual({ n: 0 });
    expect((await database.run("update counters set n = 7")).changes).toBe(1);
  });

  test("close waits for the lock that a queued write needs", async () => {
    const database = await withFacts();
    using other = new Connection(path);
    other.run("begin immediate");
    const write = database.run("update counters set n = 7");
    const closed = database.close();
    await Bun.sleep(5);
    other.run("commit");
    expect((await write).changes).toBe(1);
    await closed;
  });

  test("X-49 a write lock that another process keeps fails checkWritable after a second, a short one does not", async () => {
    const database = await withFacts();
    const { health } = openedWhole();
    using other = new Connection(path);
    other.run("begin immediate");
    const started = performance.now();
    await expect(health.checkWritable()).rejects.toThrow("held the write lock");
    expect(performance.now() - started).toBeLessThan(1_900);
    await health.ping();
    const checked = health.checkWritable();
    await Bun.sleep(100);
    other.run("commit");
    await checked;
    expect((await database.run("update counters set n = 7")).changes).toBe(1);
  });

  test("a file that was removed or replaced under way fails the ping", async () => {
    const { health } = openedWhole();
    await health.ping();
    rmSync(path);
    await expect(health.ping()).rejects.toThrow("removed or replaced");
    writeFileSync(path, "");
    await expect(health.ping()).rejects.toThrow(DatabaseUnavailable);
  });

  test("two processes write to one file without losing or refusing a write", async () => {
    const database = await withFacts();
    const child = spawnWriter("300");
    const ready = await child.stdout.getReader().read();
    expect(ready.done).toBe(false);
    for (let n = 0; n < 100; n += 1) await database.run("update counters set n = n + 1");
    expect(await child.exited).toBe(0);
    expect(await database.get("select n from counters")).toEqual({ n: 400 });
  }, 120_000);

  test("no acknowledged write is lost by kill -9", async () => {
    await (await withFacts()).close();
    const acknowledged = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const child = spawnWriter();
      let printed = "";
      const killAfter = 1 + Math.floor(Math.random() * 4_000);
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        printed += chunk;
        if (printed.length > killAfter) child.kill("SIGKILL");
      }
      await child.exited;
      for (const id of printed.split("\n").slice(0, -1)) acknowledged.add(id);
      const { database } = createSqliteDatabase({ path, name: "default" });
      const stored = new Set((await database.all<{ id: string }>("select id from facts")).map(({ id }) => id));
      const counted = await database.get<{ n: number }>("select n from counters");
      await database.close();
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
      // Each batch has stored both of its statements or neither.
      expect(counted?.n).toBe(stored.size);
    }
    expect(acknowledged.size).toBeGreaterThan(12);
  }, 120_000);
});
