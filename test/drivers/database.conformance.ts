import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hasTable } from "../../src/drivers/database/catalogue.ts";
import type { Database, HealthCapability, Statement } from "../../src/drivers/database/index.ts";

export interface DatabaseUnderTest {
  /** An empty database that nobody else uses. */
  readonly database: Database;
  readonly health: HealthCapability;
  /** Closes the database, however often it was closed, and removes what it left. */
  dispose(): Promise<void>;
}

const add = (id: string, balance: number): Statement => ({
  sql: "insert into accounts (id, balance) values ($id, $balance)",
  params: { id, balance },
});

const withdraw = (id: string, amount: number): Statement => ({
  sql: "update accounts set balance = balance - $amount where id = $id and balance >= $amount",
  params: { id, amount },
  guard: true,
});

const deposit = (id: string, amount: number): Statement => ({
  sql: "update accounts set balance = balance + $amount where id = $id",
  params: { id, amount },
  guard: true,
});

/** All that a database has. The compiler asks for a line here where the port gets another member: a capability is the place for that. */
const port = {
  dialect: true,
  get: true,
  all: true,
  run: true,
  batch: true,
  close: true,
} as const satisfies Record<keyof Database, true>;

/** Defines the tests that every driver of the database port must pass. */
export function databaseConformance(driver: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`the database port on ${driver}`, () => {
    let subject: DatabaseUnderTest;
    let db: Database;

    beforeEach(async () => {
      subject = await open();
      db = subject.database;
      await db.run("create table accounts (id text primary key, balance bigint not null)");
      await db.run(`create table entries (id text primary key, account_id text not null
        references accounts (id) on delete cascade, note text)`);
    });
    afterEach(() => subject.dispose());

    const balance = async (id: string): Promise<number | undefined> =>
      (await db.get<{ balance: number }>("select balance from accounts where id = $id", { id }))?.balance;

    test("the port has four verbs, and no driver puts anything beside them", () => {
      expect(Object.keys(db).toSorted()).toEqual(Object.keys(port).toSorted());
    });

    test("get gives the row, or undefined where there is none", async () => {
      await db.batch([add("ada", 1)]);
      expect(await db.get("select id, balance from accounts where id = $id", { id: "ada" })).toEqual({
        id: "ada",
        balance: 1,
      });
      expect(await db.get("select id from accounts where id = $id", { id: "grace" })).toBeUndefined();
    });

    test("all gives the rows in their order, or none", async () => {
      expect(await db.all("select id from accounts")).toEqual([]);
      await db.batch([add("grace", 2), add("ada", 1)]);
      expect(await db.all("select id, balance from accounts order by id")).toEqual([
        { id: "ada", balance: 1 },
        { id: "grace", balance: 2 },
      ]);
    });

    test("run counts the rows it changed itself, without those a cascade took along", async () => {
      await db.batch([
        add("ada", 1),
        add("grace", 1),
        { sql: "insert into entries (id, account_id) values ('1', 'ada'), ('2', 'ada')" },
      ]);
      expect((await db.run("update accounts set balance = 5")).changes).toBe(2);
      expect((await db.run("update accounts set balance = 5 where id = 'nobody'")).changes).toBe(0);
      expect((await db.run("delete from accounts where id = $id", { id: "ada" })).changes).toBe(1);
      expect(await db.all("select id from entries")).toEqual([]);
    });

    test("returning gives the rows, and counts them", async () => {
      await db.batch([add("ada", 1)]);
      const sql = "update accounts set balance = balance + 1 where id = $id returning balance";
      expect(await db.run<{ balance: number }>(sql, { id: "ada" })).toEqual({ changes: 1, rows: [{ balance: 2 }] });
      expect(await db.run(sql, { id: "nobody" })).toEqual({ changes: 0, rows: [] });
    });

    test("text, nulls and 53-bit integers come back as they went in", async () => {
      await db.batch([add("largest", Number.MAX_SAFE_INTEGER), add("least", Number.MIN_SAFE_INTEGER)]);
      expect(await balance("largest")).toBe(Number.MAX_SAFE_INTEGER);
      expect(await balance("least")).toBe(Number.MIN_SAFE_INTEGER);
      const notes = ["", " ", "Ünïcödé 日本語 🗝️", 'it\'s; -- $id "quoted" \\n', "x".repeat(100_000), null];
      for (const [index, note] of notes.entries()) {
        const sql = "insert into entries (id, account_id, note) values ($id, 'largest', $note) returning note";
        expect((await db.run(sql, { id: `${index}`, note })).rows).toEqual([{ note }]);
        expect(await db.get("select note from entries where id = $id", { id: `${index}` })).toEqual({ note });
      }
    });

    test("a parameter that is not given is an error, also where an earlier call gave it", async () => {
      await db.batch([add("ada", 1)]);
      const sql = "select balance from accounts where id = $id";
      expect(await db.get(sql, { id: "ada" })).toBeDefined();
      await expect(db.get(sql)).rejects.toThrow();
      await expect(db.get(sql, {})).rejects.toThrow();
      await expect(db.run("delete from accounts where id = $id")).rejects.toThrow();
      expect(await balance("ada")).toBe(1);
    });

    test("a parameter that the text does not name is an error, and nothing is written", async () => {
      await db.batch([add("ada", 1)]);
      const surplus = { id: "ada", balance: 2, note: "of no column" };
      await expect(db.get("select balance from accounts where id = $id", surplus)).rejects.toThrow("$balance, $note");
      await expect(db.all("select id from accounts", surplus)).rejects.toThrow("$id");
      await expect(db.run("update accounts set balance = $balance where id = $id", surplus)).rejects.toThrow("$note");
      const quoted = `insert into entries (id, account_id, note) values ($id, $id, '$balance') -- $note`;
      await expect(db.batch([deposit("ada", 1), { sql: quoted, params: surplus }])).rejects.toThrow("$balance, $note");
      expect(await db.all("select id, balance from accounts")).toEqual([{ id: "ada", balance: 1 }]);
      expect(await db.all("select id from entries")).toEqual([]);
    });

    test("a read that is asked for after a write was acknowledged sees it, among any others", async () => {
      await db.batch([add("ada", 0)]);
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const id = `reader-${index}`;
          await db.batch([add(id, index)]);
          expect(await balance(id)).toBe(index);
          await db.batch([deposit(id, 1)]);
          expect(await balance(id)).toBe(index + 1);
        }),
      );
    });

    test("one failing read or write rejects only its own promise", async () => {
      await db.batch([add("ada", 1)]);
      const settled = await Promise.allSettled([
        db.get("select id from accounts where id = $id", { id: "ada" }),
        db.get("select nothing from nowhere"),
        db.all("select id from accounts"),
        db.batch([add("grace", 1)]),
        db.batch([add("barbara", 1), add("ada", 1)]),
        db.run("insert into entries (id, account_id) values ('1', 'nobody')"),
        db.run("not sql"),
        db.batch([deposit("ada", 1)]),
      ]);
      expect(settled.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
        "fulfilled",
        "rejected",
        "rejected",
        "rejected",
        "fulfilled",
      ]);
      expect(await db.all("select id, balance from accounts order by id")).toEqual([
        { id: "ada", balance: 2 },
        { id: "grace", balance: 1 },
      ]);
    });

    test("a batch gives the results of its statements in order", async () => {
      const outcome = await db.batch([
        add("ada", 1),
        { sql: "insert into entries (id, account_id) values ('1', 'ada') returning id" },
        { sql: "update accounts set balance = 9 where id = 'nobody'" },
      ]);
      expect(outcome).toEqual({
        applied: true,
        results: [
          { changes: 1, rows: [] },
          { changes: 1, rows: [{ id: "1" }] },
          { changes: 0, rows: [] },
        ],
      });
    });

    test("a batch without statements applies", async () => {
      expect(await db.batch([])).toEqual({ applied: true, results: [] });
    });

    test("a write that need not be durable is seen by whoever asks after its answer", async () => {
      await db.batch([add("ada", 1)], { durable: false });
      expect(await balance("ada")).toBe(1);
      const { sql, params = {} } = deposit("ada", 2);
      const [relaxed, durable] = await Promise.all([
        db.run(sql, params, { durable: false }),
        db.batch([add("grace", 5)]),
      ]);
      expect({ relaxed: relaxed.changes, durable: durable.applied }).toEqual({ relaxed: 1, durable: true });
      expect([await balance("ada"), await balance("grace")]).toEqual([3, 5]);
    });

    test("a guard that changes no row undoes its batch and is named", async () => {
      await db.batch([add("ada", 10), add("grace", 0)]);
      expect(await db.batch([withdraw("ada", 4), deposit("nobody", 4)])).toEqual({ applied: false, failedGuard: 1 });
      expect(await db.batch([withdraw("ada", 11), deposit("grace", 11)])).toEqual({ applied: false, failedGuard: 0 });
      expect(await db.batch([withdraw("nobody", 1)])).toEqual({ applied: false, failedGuard: 0 });
      expect(await balance("ada")).toBe(10);
      expect(await db.batch([withdraw("ada", 4), deposit("grace", 4)])).toMatchObject({ applied: true });
      expect(await balance("grace")).toBe(4);
    });

    test("a guard that returns no row undoes its batch", async () => {
      await db.batch([add("ada", 1)]);
      const missing = { sql: "select id from accounts where id = 'nobody'", guard: true };
      expect(await db.batch([deposit("ada", 1), missing])).toEqual({ applied: false, failedGuard: 1 });
      expect(await balance("ada")).toBe(1);
    });

    test("of writes at the same time one that is undone or fails takes no other with it, and none is made twice", async () => {
      await db.batch([add("ada", 10), add("grace", 0)]);
      const move = [deposit("ada", 1), deposit("grace", 1)];
      const undone = [deposit("ada", 100), deposit("nobody", 100)];
      const failing = [deposit("grace", 100), add("ada", 0)];
      const outcomes = await Promise.allSettled([move, undone, failing, move].map((each) => db.batch(each)));
      const applied = outcomes.map((each) => (each.status === "fulfilled" ? each.value.applied : each.status));
      expect(applied).toEqual([true, false, "rejected", true]);
      expect([await balance("ada"), await balance("grace")]).toEqual([12, 2]);
    });

    test("of many callers who ask for the last of it, one gets it", async () => {
      await db.batch([add("ada", 1), add("grace", 0)]);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, () => db.batch([withdraw("ada", 1), deposit("grace", 1)])),
      );
      expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1);
      expect(await balance("grace")).toBe(1);
    });

    test("batches at the same time never mix: what is moved is neither lost nor made", async () => {
      const people = ["ada", "grace", "barbara", "radia"];
      await db.batch(people.map((id) => add(id, 25)));
      const person = (index: number): string => people[index % people.length] ?? "ada";
      await Promise.all(
        Array.from({ length: 400 }, async (_, index) => {
          const from = person(index);
          // Every third batch pays into nowhere: after its withdrawal was made, all of it has to be undone.
          const to = index % 3 === 0 ? "nobody" : person(index + 1);
          await db.batch([withdraw(from, 7), deposit(to, 7)]);
          const sum = await db.get<{ total: number }>("select cast(sum(balance) as bigint) as total from accounts");
          expect(sum?.total).toBe(100);
        }),
      );
    });

    test("more writes than fit in one group all arrive", async () => {
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => db.batch([add(`account-${index}`, 1)])));
      expect(await db.get("select count(*) as n from accounts")).toEqual({ n: 1_000 });
    });

    test("hasTable tells what is there", async () => {
      expect(await hasTable(db, "accounts")).toBe(true);
      expect(await hasTable(db, "nothing")).toBe(false);
    });

    test("close settles what was asked for before, and refuses what comes after", async () => {
      const before = [db.batch([add("ada", 1)]), db.get("select 1 as one")];
      const closed = db.close();
      const after = await Promise.allSettled([db.run("delete from accounts"), db.get("select 1 as one")]);
      expect(after.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(await Promise.all(before)).toEqual([{ applied: true, results: [{ changes: 1, rows: [] }] }, { one: 1 }]);
      await closed;
      await db.close();
    });

    test("ping answers while open and rejects when closed", async () => {
      await subject.health.ping();
      await db.close();
      await expect(subject.health.ping()).rejects.toThrow();
    });

    test("checkWritable passes beside writes, changes nothing, and rejects when closed", async () => {
      const { health } = subject;
      const writes = [1, 2, 3].map((n) =>
        db.run("insert into accounts (id, balance) values ($id, 0)", { id: `w${n}` }),
      );
      await Promise.all([health.checkWritable(), ...writes, health.checkWritable()]);
      expect(await db.get("select count(*) as n from accounts where id like 'w%'")).toEqual({ n: 3 });
      await db.close();
      await expect(health.checkWritable()).rejects.toThrow();
    });
  });
}
