import { beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../support/log.ts";
import { calm } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, spawnGatehouse } from "../../support/process.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

let path: string;
let backup: string;
beforeEach(async () => {
  path = join(folder(), "data", "app.db");
  backup = join(folder(), "backup.db");
  expect((await run("migrate")).code).toBe(0);
});

const options = () => ({ cwd: folder(), env: { ...testEnvironment(folder()), ...calm, DB_DATABASE: path } });
const run = (...args: string[]) => runGatehouse(args, options());
const left = (): string[] => readdirSync(folder()).toSorted();

/** So large that a copy takes a while. */
function fill(database: string): void {
  const rows = openRows(database);
  rows.run("create table filler (body blob)");
  rows.run(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 150) insert into filler select randomblob(1000000) from n",
  );
  rows.close();
}

test.each(["SIGTERM", "SIGHUP"] as const)("backup:create stopped by %s leaves nothing, and says so", async (signal) => {
  fill(path);
  const child = spawnGatehouse(["backup:create", "--output", backup], options());
  await eventually("a part of it", () => left().some((name) => name.endsWith(".partial")), 60_000);
  child.kill(signal);
  expect([await child.exited, child.signalCode]).toEqual([1, null]);
  expect(await child.stderr.text()).toContain(`backup:create: stopped by ${signal}`);
  expect(left()).toEqual(["data"]);
});

test("backup:create killed in the middle leaves nothing that counts as a backup", async () => {
  fill(path);
  const child = spawnGatehouse(["backup:create", "--output", backup], options());
  await eventually("a part of it", () => left().some((name) => name.endsWith(".partial")), 60_000);
  child.kill("SIGKILL");
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  expect(existsSync(backup)).toBe(false);
  const parts = left().filter((name) => name !== "data");
  expect(parts.every((name) => name.endsWith(".partial"))).toBe(true);
  expect((await run("backup:create", "--output", backup)).code).toBe(0);
}, 120_000);

test("C-63 backup:restore stopped by Ctrl-C in the middle changes nothing, leaves nothing, and says nothing", async () => {
  fill(path);
  expect((await run("backup:create", "--output", backup)).code).toBe(0);
  const live = openRows(path);
  live.run("drop table filler");
  live.close();
  const child = spawnGatehouse(["backup:restore", "--input", backup, "--force"], options());
  await eventually("a part of it", () => existsSync(`${path}.restoring`), 60_000);
  child.kill("SIGINT");
  expect([await child.exited, child.signalCode]).toEqual([130, null]);
  expect(await child.stderr.text()).toBe("");
  expect(readdirSync(join(folder(), "data"))).toEqual(["app.db"]);
  const rows = openRows(path);
  expect(rows.count("sqlite_schema where name = 'filler'")).toBe(0);
  rows.close();
}, 120_000);
