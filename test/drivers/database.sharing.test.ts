import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/drivers/database/index.ts";
import { isBusy } from "../../src/drivers/database/sqlite/errors.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { eventually } from "../support/log.ts";

let folder: string;
let path: string;
let database: Database;
const sharers = new Map<string, Bun.Subprocess>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-sharing-"));
  path = join(folder, "app.db");
  database = createSqliteDatabase({ path, name: "default", lockTimeoutMs: 60_000 }).database;
  await database.run("create table facts (id text primary key, name text not null)");
  await database.run("create table counts (name text primary key, n bigint not null)");
});
afterEach(async () => {
  await killAll();
  await database.close();
  rmSync(folder, { recursive: true });
});

async function killAll(): Promise<void> {
  for (const sharer of sharers.values()) sharer.kill("SIGKILL");
  await Promise.all(sharers.values().map(({ exited }) => exited));
  sharers.clear();
}

/** Takes the lock as the shell of SQLite or an older release does: it tries until it has it, and pauses for nobody. */
async function takeLock(connection: Connection): Promise<void> {
  await eventually("the write lock", () => {
    try {
      connection.run("begin immediate");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  });
}

async function start(...names: readonly string[]): Promise<void> {
  const script = join(import.meta.dir, "database.sharer.process.ts");
  for (const name of names) {
    await database.run("insert into counts (name, n) values ($name, 0)", { name });
    sharers.set(name, Bun.spawn([process.execPath, script, path, name], { stderr: "inherit" }));
  }
  await gains(names, 1);
}

async function counts(): Promise<Map<string, number>> {
  const rows = await database.all<{ name: string; n: number }>("select name, n from counts");
  return new Map(rows.map(({ name, n }) => [name, n]));
}

/** Waits until `done` holds for the batches that these processes have written since. */
async function written(names: readonly string[], done: (gained: readonly number[]) => boolean): Promise<number[]> {
  const before = await counts();
  let gained: number[] = [];
  await eventually(`more batches of ${names.join(", ")}`, async () => {
    const now = await counts();
    gained = names.map((name) => (now.get(name) ?? 0) - (before.get(name) ?? 0));
    return done(gained);
  });
  return gained;
}

const gains = (names: readonly string[], batches: number): Promise<number[]> =>
  written(names, (gained) => gained.every((count) => count >= batches));

test("D-60 four processes get about as much done as each other", async () => {
  const names = ["ada", "grace", "edsger", "barbara"];
  await start(...names);
  const gained = await written(names, (counted) => Math.max(...counted) >= 1_200);
  expect(Math.min(...gained)).toBeGreaterThan(Math.max(...gained) / 4);
}, 60_000);

test("D-61 those who are killed or stopped while they wait hold up nobody, and lose nothing that was written", async () => {
  const going = ["ada", "grace"];
  const stopped = ["edsger", "barbara"];
  const killed = ["alan", "frances"];
  await start(...going, ...stopped, ...killed);
  using other = new Connection(path);
  // A process that is signalled meanwhile does not have the lock, and waits for it.
  for (const name of [...stopped, ...killed]) {
    await takeLock(other);
    const sharer = sharers.get(name);
    sharer?.kill(killed.includes(name) ? "SIGKILL" : "SIGSTOP");
    if (killed.includes(name)) await sharer?.exited;
    else await eventually("the process is stopped", () => /\) T /.test(statusOf(sharer?.pid)));
    other.run("rollback");
    await gains(going, 100);
  }
  for (const name of stopped) sharers.get(name)?.kill("SIGCONT");
  await gains([...going, ...stopped], 100);
  await killAll();
  const facts = await database.all<{ name: string; n: number }>("select name, count(*) as n from facts group by name");
  expect(new Map(facts.map(({ name, n }) => [name, n]))).toEqual(await counts());
}, 120_000);

test("D-62 a process that pauses for nobody gets the lock among those that write without end", async () => {
  await start("ada", "grace", "edsger");
  await database.run("insert into counts (name, n) values ('shell', 0)");
  using shell = new Connection(path);
  for (let n = 0; n < 10; n += 1) {
    await takeLock(shell);
    shell.run("update counts set n = n + 1 where name = 'shell'");
    shell.run("commit");
  }
  expect((await counts()).get("shell")).toBe(10);
  await gains(["ada", "grace", "edsger"], 20);
}, 60_000);

const statusOf = (pid: number | undefined): string => readFileSync(`/proc/${pid}/stat`, "utf8");
