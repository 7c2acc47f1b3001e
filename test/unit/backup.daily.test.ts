import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, dirname } from "node:path";
import { createBackups } from "../../src/backup/index.ts";
import { minute, systemClock, type Millis } from "../../src/core/clock.ts";
import { pendingInBackup } from "../../src/drivers/database/migrate.ts";
import { restoringOf } from "../../src/drivers/database/open.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { createScheduler } from "../../src/scheduler/index.ts";
import { migrations } from "../../migrations/index.ts";
import { agesOf } from "../support/ages.ts";
import { abilitiesOf, examine } from "../support/backups.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { openRows } from "../support/rows.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";
import { openS3 } from "../support/s3.disk.ts";
import { startS3 } from "../support/s3.ts";
import { canMount, smallDisk } from "../support/small.disk.ts";

const day = 24 * 60 * minute;

let fixture: TemporaryDatabase;
let disk: Storage;
let workFolder: string;
let log: ReturnType<typeof createRecordingLog>;
let now: Millis;
const clock = { now: () => now };

beforeEach(async () => {
  fixture = await temporaryDatabase();
  const folder = dirname(fixture.path);
  disk = openStorage({ config: { driver: "local", path: join(folder, "disk") }, name: "offsite", clock });
  workFolder = join(folder, "work");
  log = createRecordingLog();
  drilled = [];
  now = Date.UTC(2026, 10, 21, 3, 39, 30);
});
afterEach(async () => {
  await disk.close();
  await fixture.dispose();
});

const ada = { name: "app", key: "ada's application key", env: "production" };
/** Whether each drill failed. */
let drilled: boolean[];
function schedules(keep = 3, to = disk, installation = ada, ages = agesOf(clock)) {
  const settings = { keep, changesIntervalMs: undefined, changesKeepMs: day, ageRecipient: undefined };
  const backups = createBackups({
    installation,
    settings,
    ...abilitiesOf(fixture),
    disk: to,
    workFolder,
    examine,
    drills: {
      verify: async (path, name) => ({
        tables: await restoringOf({ driver: "sqlite", path }).verify({
          input: path,
          name,
          check: async () => undefined,
        }),
        pending: [],
      }),
      record: async (failed) => void drilled.push(failed),
    },
    clock,
    ages,
    log,
  });
  return backups.schedules ?? [];
}
function daily(...args: Parameters<typeof schedules>) {
  const [schedule] = schedules(...args);
  if (schedule === undefined) throw new Error("no schedule");
  return schedule;
}
/** The part of file names that two installations never have in common. */
const tag = "production-f452cfca";
const never = new AbortController().signal;
const runDaily = (keep?: number, signal = never) => daily(keep).run(signal);
const isManifest = (name: string): boolean => name.endsWith(".manifest.json");
const namesOn = async (on: Storage): Promise<string[]> => (await on.list()).files.map(({ name }) => name);
/** Resolves to all names but those of manifests. */
const names = async (): Promise<string[]> => (await namesOn(disk)).filter((name) => !isManifest(name));

test("puts a backup that can be restored on the disk, named by its time in UTC", async () => {
  await fixture.database.run("insert into schedule_runs values ('a:b', 1, 2, 'ada')");
  await runDaily();
  expect(await names()).toEqual([`backups/gatehouse-${tag}-20261121T033930Z.db`]);
  expect(existsSync(workFolder)).toBe(false);
  expect(log.lines).toMatchObject([{ message: "backup made", fields: { disk: "offsite", removed: 0 } }]);

  const path = join(dirname(fixture.path), "restored.db");
  await restoringOf({ driver: "sqlite", path }).restore({
    input: join(dirname(fixture.path), "disk", `backups/gatehouse-${tag}-20261121T033930Z.db`),
    replace: false,
    check: async (backup) => expect(await pendingInBackup(backup, migrations)).toEqual([]),
  });
  const rows = openRows(path);
  expect(rows.get("select locked_by from schedule_runs")).toEqual({ locked_by: "ada" });
  rows.close();
});

test("keeps the newest, and touches no file that is none of its own", async () => {
  for (const other of ["backups/notes.txt", "backups/gatehouse-by-hand.db", "letters/gatehouse-20200101T000000Z.db"])
    await disk.put(other, new Uint8Array(1));
  for (let run = 0; run < 5; run += 1) {
    await runDaily(2);
    now += day;
  }
  expect(await names()).toEqual([
    "backups/gatehouse-by-hand.db",
    `backups/gatehouse-${tag}-20261124T033930Z.db`,
    `backups/gatehouse-${tag}-20261125T033930Z.db`,
    "backups/notes.txt",
    "letters/gatehouse-20200101T000000Z.db",
  ]);
  // Even after a clock that was ahead, the backup just made is never the one that goes.
  now -= 10 * day;
  await runDaily(1);
  expect(await names()).toContain(`backups/gatehouse-${tag}-20261116T033930Z.db`);
});

test("B-46 a manifest goes with its backup, and one that lies there alone goes as well", async () => {
  for (let run = 0; run < 4; run += 1) {
    await runDaily(2);
    now += day;
  }
  const both = (time: string) => ["", ".manifest.json"].map((ending) => `backups/gatehouse-${tag}-${time}.db${ending}`);
  expect(await namesOn(disk)).toEqual([...both("20261123T033930Z"), ...both("20261124T033930Z")]);
  const [backup = "", manifest = ""] = both("20261124T033930Z");
  await disk.delete(backup);
  const others = "backups/gatehouse-production-00000000-20200101T000000Z.db.manifest.json";
  await disk.put(others, new Uint8Array(1));
  await runDaily(2);
  expect(await namesOn(disk)).toEqual([others, ...both("20261123T033930Z"), ...both("20261125T033930Z")]);
  expect(await namesOn(disk)).not.toContain(manifest);
});

test("B-46 a backup whose manifest can't be put is none: it is taken back", async () => {
  const broken: Storage = {
    ...disk,
    put: async (name, ...rest) => {
      if (isManifest(name)) throw new Error("the disk is full");
      return disk.put(name, ...rest);
    },
  };
  await expect(daily(2, broken).run(never)).rejects.toThrow("the disk is full");
  expect(await namesOn(disk)).toEqual([]);
});

test("what a killed run left behind counts as nothing and goes with the next run", async () => {
  mkdirSync(join(workFolder, "copy.db.x.partial"), { recursive: true });
  writeFileSync(join(workFolder, "copy.db.x.partial", "copy.db"), "half of");
  await runDaily();
  expect(existsSync(workFolder)).toBe(false);
  expect(await names()).toHaveLength(1);
});

test("two installations on one disk keep their own backups, of the same second too", async () => {
  const grace = { ...ada, key: "grace's application key" };
  const staging = { ...ada, env: "staging" };
  for (let run = 0; run < 3; run += 1) {
    for (const installation of [ada, grace, staging]) await daily(2, disk, installation).run(never);
    now += day;
  }
  const kept = await names();
  expect(kept).toHaveLength(6);
  for (const time of ["20261122T033930Z", "20261123T033930Z"])
    expect(kept.filter((name) => name.includes(time))).toHaveLength(3);
});

test("a folder that somebody else put files into keeps them", async () => {
  mkdirSync(workFolder);
  writeFileSync(join(workFolder, "by-hand.db"), "a backup");
  await runDaily();
  expect(readdirSync(workFolder)).toEqual(["by-hand.db"]);
});

test("the process goes on serving while the copy is made", async () => {
  await fixture.database.run("create table filler (body blob)");
  await fixture.database.run(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 40)
     insert into filler select randomblob(1000000) from n`,
  );
  let turns = 0;
  let going = true;
  const turn = async (): Promise<void> => {
    while (going) {
      await fixture.database.run("update filler set body = 'x' where false");
      turns += 1;
    }
  };
  const turning = turn();
  await runDaily();
  going = false;
  await turning;
  expect(turns).toBeGreaterThan(20);
});

test("an aborted run leaves no backup", async () => {
  await fixture.database.run("create table filler (body blob)");
  await fixture.database.run("insert into filler values (randomblob(20000000))");
  const abort = new AbortController();
  const run = runDaily(3, abort.signal);
  await eventually("the copy", () => existsSync(workFolder) && readdirSync(workFolder).length > 0);
  abort.abort(new Error("shut down"));
  await expect(run).rejects.toThrow("shut down");
  expect(await names()).toEqual([]);
});

test.skipIf(!canMount)("a disk too small for it fails the run and keeps the backups that are there", async () => {
  using small = smallDisk(1024);
  const full = openStorage({ config: { driver: "local", path: join(small.folder, "disk") }, name: "small", clock });
  await daily(1, full).run(never);
  now += day;
  await fixture.database.run("create table filler (body blob)");
  await fixture.database.run("insert into filler values (randomblob(2000000))");
  await expect(daily(1, full).run(never)).rejects.toThrow("the disk is full");
  const kept = `backups/gatehouse-${tag}-20261121T033930Z.db`;
  expect(await namesOn(full)).toEqual([kept, `${kept}.manifest.json`]);
  expect(existsSync(workFolder)).toBe(false);
  await full.close();
});

test("on S3 it is put with its checksum, and the oldest go as they do elsewhere", async () => {
  const server = startS3();
  const bucket = openS3(server, { clock: systemClock });
  for (let run = 0; run < 3; run += 1) {
    await daily(2, bucket).run(never);
    now += day;
  }
  expect(await namesOn(bucket)).toEqual(
    ["20261122T033930Z.db", "20261123T033930Z.db"].flatMap((each) =>
      ["", ".manifest.json"].map((ending) => `backups/gatehouse-${tag}-${each}${ending}`),
    ),
  );
  for (const { bytes, metadata } of server.files.values())
    expect(metadata).toMatchObject({ "x-amz-meta-sha256": new Bun.CryptoHasher("sha256").update(bytes).digest("hex") });
  await bucket.close();
  await server.stop();
});

test("the drill reads the newest backup, leaves nothing behind, and records how it went", async () => {
  const [, drill] = schedules();
  await expect(drill?.run(never)).rejects.toThrow("the disk has no backup of this installation");
  await runDaily();
  await drill?.run(never);
  expect(drilled).toEqual([true, false]);
  expect(existsSync(workFolder)).toBe(false);
  now = Date.now() + 27 * 60 * minute;
  await expect(drill?.run(never)).rejects.toThrow("and may be 93600 s old");
  const [file = ""] = await names();
  writeFileSync(join(dirname(fixture.path), "disk", file), "no database");
  now = Date.now();
  await expect(drill?.run(never)).rejects.toThrow("has 11 bytes, and its manifest names");
  expect(drilled).toEqual([true, false, true, true]);
  expect(existsSync(workFolder)).toBe(false);
});

test("of two schedulers one makes it", async () => {
  const schedulers = ["ada", "grace"].map((instance) =>
    createScheduler({ database: fixture.database, schedules: [daily()], clock, log, pollMs: 3, instance }),
  );
  for (const scheduler of schedulers) scheduler.start();
  now += minute;
  await eventually("the run", () => log.lines.some(({ message }) => message === "schedule done"), 60_000);
  await Bun.sleep(40);
  await Promise.all(schedulers.map((scheduler) => scheduler.stop(1_000)));
  expect(await names()).toHaveLength(1);
});
