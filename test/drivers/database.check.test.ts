import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkInThreads } from "../../src/drivers/database/sqlite/backup/check.ts";
import { folderOfEachTest } from "../support/folder.ts";

const folder = folderOfEachTest();
const tables = ["a", "b's", "c"] as const;

/** Makes a file of three tables with an index each, and some pages that are free. */
function made(): string {
  const path = join(folder(), "copy.db");
  using connection = new Connection(path, { create: true });
  connection.run("create table parents (id integer primary key)");
  connection.run("insert into parents values (1)");
  for (const table of tables) {
    connection.run(`create table "${table}" (id text primary key, word text, parent references parents (id))`);
    connection.run(`create index "${table} words" on "${table}" (word)`);
    connection.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
       insert into "${table}" select 'id' || i, hex(randomblob(20)), 1 from n`,
    );
    connection.run(`update "${table}" set word = ? where id = 'id77'`, [needleOf(table)]);
  }
  connection.run("create table without_rows (name text primary key) without rowid");
  connection.run("create table free (word text)");
  connection.run("insert into free values (hex(randomblob(20000)))");
  connection.run("drop table free");
  return path;
}

const needleOf = (table: string): string => `A needle of table ${table}.`;

/** Changes the word of a row in one of the two places where it stands: the table and its index then differ. */
function differ(bytes: Buffer, table: string): void {
  const end = bytes.lastIndexOf(needleOf(table)) + needleOf(table).length;
  expect(bytes.indexOf(needleOf(table))).toBeLessThan(end - needleOf(table).length);
  bytes.write("!", end - 1);
}

let files = 0;
/** Each file is a new one: where a check has failed, its other threads still have the file mapped for a moment, and must not see it shrink. */
function fresh(content: Buffer | string): string {
  const path = join(folder(), `fresh-${(files += 1)}.db`);
  writeFileSync(path, content);
  return path;
}

/** Forgets the list of free pages, which stands in the head of the file. */
const forgetFree = (bytes: Buffer): void => void bytes.fill(0, 32, 40);

test.each([1, 2, 5])("B-50 what is wrong with a copy is found by %i threads, wherever it is", async (threads) => {
  const seen: [number, number][] = [];
  const onChecked = (rows: number, total: number): void => void seen.push([rows, total]);
  const check = (path: string) => checkInThreads({ path, name: "the copy" }, { threads, onChecked });
  const path = made();
  await check(path);
  expect(seen[0]).toEqual([0, 6_001]);
  expect(seen.at(-1)).toEqual([6_001, 6_001]);
  const whole = readFileSync(path);
  const faults: readonly (readonly [(bytes: Buffer) => void, string])[] = [
    ...tables.map((table) => [(bytes: Buffer) => differ(bytes, table), "missing from index"] as const),
    [forgetFree, "never used"],
  ];
  for (const [spoil, words] of faults) {
    const bytes = Buffer.from(whole);
    spoil(bytes);
    const spoilt = fresh(bytes);
    await expect(check(spoilt)).rejects.toThrow("the copy is damaged");
    await expect(check(spoilt)).rejects.toThrow(words);
  }
  const stray = fresh(whole);
  {
    using connection = new Connection(stray);
    connection.run("update c set parent = 7 where id = 'id9'");
  }
  await expect(check(stray)).rejects.toThrow("the copy is damaged: a row of c refers to a row of parents");
  await expect(check(fresh("this is no database at all".repeat(100)))).rejects.toThrow("not a SQLite database");
});

test("B-50 a check ends when it is aborted", async () => {
  const path = made();
  const abort = new AbortController();
  const check = checkInThreads({ path, name: "the copy" }, { threads: 2, signal: abort.signal });
  abort.abort(new Error("enough"));
  await expect(check).rejects.toThrow("enough");
});
