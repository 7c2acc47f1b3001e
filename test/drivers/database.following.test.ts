import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database as Connection } from "bun:sqlite";
import { truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Following } from "../../src/drivers/database/index.ts";
import { openImmutable } from "../../src/drivers/database/sqlite/files.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";

const never = new AbortController().signal;

let fixture: TemporaryDatabase;
let following: Following;
let replica: string;
/** How many collections did not know what had changed. */
let lost: number;

beforeEach(async () => {
  fixture = await temporaryDatabase();
  replica = join(dirname(fixture.path), "replica.db");
  await fixture.database.run("create table notes (id integer primary key, body text)");
  const begun = fixture.changes?.follow();
  if (begun === undefined) throw new Error("another process follows");
  following = begun;
  lost = 0;
});
afterEach(async () => {
  following.close();
  await fixture.dispose();
});

async function collect(): Promise<void> {
  const changes = await following.collect();
  if (changes === undefined) {
    lost += 1;
    await Bun.file(replica)
      .delete()
      .catch(() => undefined);
    return void (await following.copy(replica, never));
  }
  const { pageSize, pageCount, pages } = changes;
  const file = await open(replica, "r+");
  for (const [number, content] of pages) await file.write(content, 0, pageSize, (number - 1) * pageSize);
  await file.close();
  truncateSync(replica, pageCount * pageSize);
}

function expectSame(): void {
  using copy = openImmutable(replica);
  using own = new Connection(fixture.path);
  expect(copy.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  for (const table of ["notes", "sqlite_schema"]) {
    const rows = `select * from ${table} order by 1`;
    expect(copy.query(rows).all()).toEqual(own.query(rows).all());
  }
}

/** Acts as another process does in the eyes of SQLite: a connection that comes, commits, and empties the log when it goes. */
function visit(work: (connection: Connection) => void, checkpoint: string): void {
  using other = new Connection(fixture.path);
  other.run("pragma busy_timeout = 1000");
  work(other);
  // A service that ends does the same as this: it waits for nobody who reads.
  other.run("pragma busy_timeout = 0");
  other.prepare(`pragma wal_checkpoint(${checkpoint})`).all();
}

test("what is collected makes a copy what the database is, however often others begin the log anew", async () => {
  await collect();
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const modes = ["passive", "full", "restart", "truncate"] as const;
  const logs = new Set<string>();
  for (let round = 0; round < 120; round += 1) {
    visit(
      (other) => {
        for (let count = random(4); count > 0; count -= 1)
          other.run("insert into notes (body) values (?)", ["x".repeat(random(60_000))]);
        if (random(10) === 0) other.run("delete from notes where id % 3 = 1");
        if (random(40) === 0) other.run("vacuum");
        if (random(10) === 0) other.run(`create table "t${round}" (a text)`);
      },
      modes[random(4)] ?? "passive",
    );
    // The salt changes each time that the log begins anew.
    logs.add(Buffer.from(await Bun.file(`${fixture.path}-wal`).slice(16, 24).bytes()).toString("hex"));
    if (random(3) > 0) continue;
    await collect();
    if (random(5) === 0) expectSame();
  }
  await collect();
  expectSame();
  expect(lost).toBe(1);
  expect(logs.size).toBeGreaterThan(2);
});

test("while it follows the log does not grow beyond what is written between two looks", async () => {
  await collect();
  let most = 0;
  for (let round = 0; round < 60; round += 1) {
    await fixture.database.run("insert into notes (body) values (hex(randomblob(150000)))");
    await fixture.database.run("delete from notes where id < (select max(id) from notes) - 3");
    await collect();
    most = Math.max(most, Bun.file(`${fixture.path}-wal`).size);
  }
  // Without a limit, 60 rows of 300 KB would be 18 MB and more.
  expect(most).toBeLessThan(10_000_000);
  expectSame();
  expect(lost).toBe(1);
});

test("a commit that is too large to keep is known as one, and a copy has it", async () => {
  await collect();
  await fixture.database.run(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 80) insert into notes (body) select hex(randomblob(500000)) from n",
  );
  await collect();
  expect(lost).toBe(2);
  await fixture.database.run("insert into notes (body) values ('after')");
  await collect();
  expect(lost).toBe(2);
  expectSame();
});

test("one follows at a time; the next one begins with a copy", async () => {
  expect(fixture.changes?.follow()).toBeUndefined();
  await collect();
  following.close();
  const next = fixture.changes?.follow();
  if (next === undefined) throw new Error("nobody follows, and yet it may not");
  following = next;
  await fixture.database.run("insert into notes (body) values ('after')");
  await collect();
  expect(lost).toBe(2);
  expectSame();
});
