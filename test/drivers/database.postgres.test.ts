import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { checkTextOrder, hasTable } from "../../src/drivers/database/catalogue.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { databaseConformance } from "./database.conformance.ts";
import { addFact, createOpener, makeFacts, type PostgresTestOptions } from "./database.postgres.ts";

describe.skipIf(postgresMissing !== undefined)("postgres", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  databaseConformance("postgres", async () => {
    const { url } = await server.createDatabase();
    const { database, health } = openDatabase({ driver: "postgres", path: "", url }, {});
    return { database, health, dispose: () => database.close() };
  });

  describe("a database on a server", () => {
    let url: string;
    let admin: SQL;
    const { use: useAt, closeAll } = createOpener();
    const use = (options?: PostgresTestOptions): Database => useAt(url, options);
    const withFacts = (): Promise<Database> => makeFacts(use());

    beforeEach(async () => {
      ({ url } = await server.createDatabase());
      admin = new SQL(url, { max: 1 });
    });
    afterEach(async () => {
      await closeAll();
      await admin.close();
    });

    test("values are what they are in SQLite: numbers for sums and counts, 0 and 1 for truth", async () => {
      const database = await withFacts();
      const sql = "select count(*) as n, sum(n) as total, count(*) = 1 as one, max(n) is null as none from counters";
      expect(await database.get(sql)).toEqual({ n: 1, total: 0, one: 1, none: 0 });
    });

    test("a parameter may be named twice, and what only looks like one is text", async () => {
      const database = use();
      const sql = `select cast($a as text) || $b || $a as joined, '$a' as text, $q$ '$b $q$ as quoted -- $c`;
      expect(await database.get(sql, { a: "x", b: "y" })).toEqual({ joined: "xyx", text: "$a", quoted: " '$b " });
    });

    test("D-06 text with a NUL finds nothing, and is kept with a replacement for it", async () => {
      const database = await withFacts();
      const find = (id: string) => database.get("select id from facts where id = $id", { id });
      await database.run("insert into facts (id) values ($id), ('ada')", { id: "before\0after" });
      expect(await find("ada\0")).toBeUndefined();
      expect(await find("before\ufffdafter")).toEqual({ id: "before\ufffdafter" });
    });

    test("a database that sorts text by a language is refused before anything is made in it", async () => {
      const name = new URL(url).pathname.slice(1);
      await admin.unsafe(`create database ${name}_en locale_provider icu icu_locale 'en' template template0`);
      const database = useAt(`${url}_en`);
      const migrator = createMigrator({ database, migrations, clock: systemClock });
      await expect(migrator.up()).rejects.toThrow("LOCALE 'C'");
      expect(await hasTable(database, "schema_migrations")).toBe(false);
      await checkTextOrder(use());
    });

    test("a database in which not every name can be written is refused before anything is made in it", async () => {
      const name = new URL(url).pathname.slice(1);
      await admin.unsafe(`create database ${name}_latin encoding 'LATIN1' locale 'C' template template0`);
      const database = useAt(`${url}_latin`);
      const migrator = createMigrator({ database, migrations, clock: systemClock });
      await expect(migrator.up()).rejects.toThrow("ENCODING 'UTF8'");
      expect(await hasTable(database, "schema_migrations")).toBe(false);
    });

    test("a database without the tables says to migrate it", async () => {
      await expect(use().get("select * from facts")).rejects.toThrow("a table is missing: run the migrate command");
    });

    test("get and all refuse to write", async () => {
      const database = await withFacts();
      await expect(database.get("insert into facts (id) values ('x') returning id")).rejects.toThrow("only read");
      await expect(database.all("delete from facts returning id")).rejects.toThrow("only read");
    });

    test("many different statements pass through a bounded cache", async () => {
      const database = use();
      const answers = await Promise.all(Array.from({ length: 1_500 }, (_, n) => database.get(`select ${n} as n`)));
      expect(answers).toEqual(Array.from({ length: 1_500 }, (_, n) => ({ n })));
    });

    test("a column that is added meanwhile disturbs nobody who used the table before", async () => {
      const database = await withFacts();
      const write = (id: string) =>
        database.batch([
          { sql: "insert into facts (id) values ($id) returning *", params: { id } },
          ...addFact(`${id}b`),
        ]);
      await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          Promise.all([write(`before-${n}`), database.get("select * from counters")]),
        ),
      );
      await admin.unsafe("alter table facts add column note text; alter table counters add column note text");
      const read = () => database.get("select * from counters");
      await Promise.all(Array.from({ length: 32 }, (_, n) => Promise.all([write(`after-${n}`), read()])));
      expect(await database.get("select n from counters")).toEqual({ n: 64 });
    });

    test("more than ten thousand waiting reads or writes are refused, those before are served", async () => {
      await withFacts();
      const [database, reader] = [use({ timeoutMs: 500 }), use()];
      const holder = await admin.reserve();
      await holder.unsafe("begin; lock table facts");
      const sql = "insert into facts (id) values ($id)";
      const ids = Array.from({ length: 10_001 }, (_, n) => `${n}`);
      const writes = await Promise.allSettled(ids.map((id) => database.run(sql, { id })));
      const refused = writes.filter(
        (write) => write.status === "rejected" && String(write.reason).includes("10000 writes"),
      );
      expect(refused).toHaveLength(1);
      await holder.unsafe("rollback");
      await holder.release();
      const reads = await Promise.allSettled(ids.map(() => reader.get("select 1 as one")));
      expect(reads.filter(({ status }) => status === "rejected")).toHaveLength(1);
      await reader.batch(addFact("served"));
    }, 30_000);

    test("a write that another transaction is in the way of waits for it, and reads go on", async () => {
      const database = await withFacts();
      const holder = await admin.reserve();
      await holder.unsafe("begin; update counters set n = n + 1");
      const writes = Promise.all(Array.from({ length: 20 }, (_, n) => database.batch(addFact(`${n}`))));
      expect(await database.get("select n from counters")).toEqual({ n: 0 });
      await holder.unsafe("commit");
      await holder.release();
      await writes;
      expect(await database.get("select n from counters")).toEqual({ n: 21 });
    });

    test("a write that gets no lock in time is refused, and not made later", async () => {
      const database = await withFacts();
      const impatient = use({ timeoutMs: 400 });
      const holder = await admin.reserve();
      await holder.unsafe("begin; update counters set n = n + 1");
      const refusal: unknown = await impatient.batch(addFact("late")).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(DatabaseUnavailable);
      expect(String(refusal)).toContain("another transaction holds a lock");
      await holder.unsafe("rollback");
      await holder.release();
      expect(await database.get("select (select n from counters) as n, count(*) as facts from facts")).toEqual({
        n: 0,
        facts: 0,
      });
    });

    test("single statements that come together share commits, and each is told what it has done itself", async () => {
      const database = await withFacts();
      const sql = "insert into facts (id) values ($id) returning id, cast(pg_current_xact_id() as text) as transaction";
      const ids = Array.from({ length: 100 }, (_, n) => `fact-${n}`);
      const made = await Promise.all(ids.map((id) => database.run<{ id: string; transaction: string }>(sql, { id })));
      expect(made.map(({ rows, changes }) => [rows[0]?.id, changes])).toEqual(ids.map((id) => [id, 1]));
      expect(new Set(made.map(({ rows }) => rows[0]?.transaction)).size).toBeLessThan(20);
      expect(await database.get("select count(*) as n from facts")).toEqual({ n: 100 });
    });

    test("of single statements that come together one that fails, or whose guard holds not, undoes no other", async () => {
      const database = await withFacts();
      await database.run("insert into facts (id) values ('there')");
      const add = (id: string | null) => database.run("insert into facts (id) values ($id)", { id });
      const guarded = (id: string) =>
        database.batch([{ sql: "update counters set n = n + 1 where $id <> 'no'", params: { id }, guard: true }]);
      const [made, failed, guards] = await Promise.all([
        Promise.all(Array.from({ length: 40 }, (_, n) => add(`fact-${n}`))),
        Promise.allSettled([add("there"), add(null)]),
        Promise.all(["yes", "no", "yes"].map(guarded)),
      ]);
      expect(made.every(({ changes }) => changes === 1)).toBe(true);
      const [duplicate, empty] = failed.map((each) => (each.status === "rejected" ? String(each.reason) : "made"));
      expect(duplicate).toContain("23505 facts facts_pkey");
      expect(empty).toContain("23502");
      expect(guards.map((each) => (each.applied ? "applied" : each.failedGuard))).toEqual(["applied", 0, "applied"]);
      const both = "select n, (select count(*) from facts) as facts from counters";
      expect(await database.get(both)).toEqual({ n: 2, facts: 41 });
    });

    test("a single statement that waits for a lock holds up no other for longer than a lock is waited for", async () => {
      const database = await withFacts();
      const holder = await admin.reserve();
      await holder.unsafe("begin; update counters set n = n + 1");
      let isMade = false;
      const held = database.run("update counters set n = n + 1").then(() => (isMade = true));
      const ids = Array.from({ length: 40 }, (_, n) => `fact-${n}`);
      await Promise.all(ids.map((id) => database.run("insert into facts (id) values ($id)", { id })));
      expect(isMade).toBe(false);
      await holder.unsafe("commit");
      await holder.release();
      await held;
      expect(await database.get("select n from counters")).toEqual({ n: 2 });
    });

    test("single statements of two processes that lock the same rows in opposite orders all come through, once", async () => {
      const database = await withFacts();
      const other = use();
      await database.run("create table sums (id text primary key, n bigint not null)");
      await database.run("insert into sums (id, n) values ('a', 0), ('b', 0), ('c', 0)");
      const add = (to: Database, ids: readonly string[]) =>
        Promise.all(ids.map((id) => to.run("update sums set n = n + 1 where id = $id", { id })));
      const orders = [
        ["a", "b", "c"],
        ["c", "b", "a"],
      ];
      await Promise.all(Array.from({ length: 40 }, (_, n) => add(n % 2 === 0 ? database : other, orders[n % 2] ?? [])));
      expect(await database.all("select n from sums")).toEqual([{ n: 40 }, { n: 40 }, { n: 40 }]);
    }, 30_000);

    test("a statement that takes too long is ended by the server", async () => {
      const database = use({ timeoutMs: 300 });
      await expect(database.get("select pg_sleep(20)")).rejects.toThrow("a statement took too long");
      const patient = use({ timeoutMs: 300, patient: true });
      expect(await patient.get("select count(*) as n from (select pg_sleep(0.8)) as slept")).toEqual({ n: 1 });
    });

    test("batches that take their locks in opposite orders all come through", async () => {
      const database = await withFacts();
      await database.run("create table sums (id text primary key, n bigint not null)");
      await database.run("insert into sums (id, n) values ('a', 0), ('b', 0)");
      const add = (id: string): Statement => ({
        sql: "update sums set n = n + 1 where id = $id",
        params: { id },
        guard: true,
      });
      const both = [add("a"), add("b")];
      await Promise.all(Array.from({ length: 60 }, (_, n) => database.batch(n % 2 === 0 ? both : both.toReversed())));
      expect(await database.all("select n from sums")).toEqual([{ n: 60 }, { n: 60 }]);
    }, 30_000);

    test("a row that another batch adds at the same moment is seen, and the guard that asked for it named", async () => {
      const database = await withFacts();
      const addOnce = (): Statement[] => [
        { sql: "update counters set n = n where not exists (select 1 from facts where id = 'one')", guard: true },
        { sql: "insert into facts (id) values ('one')" },
      ];
      const results = await Promise.all(Array.from({ length: 24 }, () => database.batch(addOnce())));
      expect(results.filter(({ applied }) => applied)).toHaveLength(1);
      for (const result of results) if (!result.applied) expect(result.failedGuard).toBe(0);
    });

    const spawnTaker = (env: Record<string, string> = {}) =>
      Bun.spawn([process.execPath, join(import.meta.dir, "database.postgres.taker.process.ts"), url], {
        env: { ...Bun.env, ...env },
        stderr: "inherit",
      });

    test("D-07 no variable of another program decides where it connects, and with what", async () => {
      const database = await withFacts();
      const child = spawnTaker({
        DATABASE_URL: "postgres://eve:pw@127.0.0.1:1/other?sslmode=verify-full&search_path=other&path=/nowhere",
        PGHOST: "/nowhere",
        PGPORT: "1",
        PGDATABASE: "other",
        PGSSLMODE: "require",
        PGOPTIONS: "-c search_path=other",
        PGCHANNELBINDING: "require",
      });
      expect(await new Response(child.stdout).text()).toBe("0");
      expect(await database.get("select n from counters")).toEqual({ n: 0 });
    });

    test("of callers in two processes who ask for the last of it, one gets it", async () => {
      const database = await withFacts();
      await database.run("update counters set n = 30");
      const child = spawnTaker();
      const take: Statement = { sql: "update counters set n = n - 1 where n > 0", guard: true };
      const own = await Promise.all(
        Array.from({ length: 40 }, () => database.batch([take, { sql: "select 1 as one" }])),
      );
      const theirs = Number(await new Response(child.stdout).text());
      expect(await child.exited).toBe(0);
      expect(own.filter(({ applied }) => applied).length + theirs).toBe(30);
      expect(await database.get("select n from counters")).toEqual({ n: 0 });
    }, 30_000);
  });
});
