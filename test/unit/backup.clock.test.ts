import { afterEach, beforeEach, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { listCopies, routeTo } from "../../src/backup/changes/history.ts";
import { rebuild } from "../../src/backup/changes/rebuild.ts";
import { createShipper, type ShipperOptions } from "../../src/backup/changes/shipper.ts";
import { createBackups } from "../../src/backup/index.ts";
import { hour } from "../../src/core/clock.ts";
import type { AgeClock } from "../../src/core/clock.trust.ts";
import { openImmutable } from "../../src/drivers/database/sqlite/files.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { agesOf, untrusted } from "../support/ages.ts";
import { abilitiesOf, ada as installation, examine, vaultOf } from "../support/backups.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

const day = 24 * hour;
const never = new AbortController().signal;
let fixture: TemporaryDatabase;
let disk: Storage;
let log: ReturnType<typeof createRecordingLog>;
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };
beforeEach(async () => {
  fixture = await temporaryDatabase();
  disk = openStorage({
    config: { driver: "local", path: join(dirname(fixture.path), "disk") },
    name: "offsite",
    clock,
  });
  log = createRecordingLog();
  aheadMs = 0;
  await fixture.database.run("create table notes (body text)");
});
afterEach(async () => {
  await disk.close();
  await fixture.dispose();
});

const backupsOn = async (on: Storage) => (await on.list()).files.filter(({ name }) => !name.endsWith(".manifest.json"));
const workFolder = (): string => join(dirname(fixture.path), "work");

test("K-01 a daily backup removes none before it while the clock can't be trusted, and does so afterwards", async () => {
  const runDaily = async (ages: AgeClock): Promise<void> => {
    const settings = { keep: 2, changesIntervalMs: undefined, changesKeepMs: day, ageRecipient: undefined };
    const drills = { verify: async () => ({ tables: [], pending: [] }), record: async () => undefined };
    const rest = {
      installation,
      settings,
      ...abilitiesOf(fixture),
      disk,
      workFolder: workFolder(),
      drills,
      examine,
      clock,
      ages,
      log,
    };
    await createBackups(rest).schedules?.[0]?.run(never);
    aheadMs += day;
  };
  for (let run = 0; run < 4; run += 1) await runDaily(untrusted);
  expect(await backupsOn(disk)).toHaveLength(4);
  expect(log.lines.at(-1)).toMatchObject({ message: "backup made", fields: { removed: 0, held_back: true } });
  await runDaily(agesOf(clock));
  expect(await backupsOn(disk)).toHaveLength(2);
  expect(log.lines.at(-1)).toMatchObject({ message: "backup made", fields: { removed: 3 } });
});

function ship(more: Partial<ShipperOptions> = {}) {
  const place = { workFolder: workFolder(), workFile: "changes.db" };
  const rest = {
    changes: abilitiesOf(fixture).changes,
    installation,
    vault: vaultOf(disk),
    place,
    examine,
    clock,
    log,
  };
  const shipper = createShipper({
    ...rest,
    everyMs: 20,
    keepMs: hour,
    ages: agesOf(clock),
    pollMs: 5,
    restMs: 20,
    ...more,
  });
  shipper.start();
  return shipper;
}
const note = (body: string) => fixture.database.run("insert into notes values ($body)", { body });
let restored = 0;
/** Resolves to the notes that a restore of the newest state finds. */
async function notes(): Promise<string[]> {
  const vault = vaultOf(disk);
  const route = routeTo(await listCopies(vault), Date.now() + 1_000);
  if (route === undefined) return [];
  const path = join(dirname(fixture.path), `restored-${(restored += 1)}.db`);
  await rebuild(vault, route, path, { signal: never });
  using connection = openImmutable(path);
  return connection
    .query<{ body: string }, []>("select body from notes")
    .all()
    .map(({ body }) => body);
}

test("K-08 continuous copies that began while the clock was ahead go on with the right time once it is right", async () => {
  aheadMs = 400 * day;
  await note("ahead");
  const shipper = ship();
  await eventually("a copy", async () => (await listCopies(vaultOf(disk))).length > 0);
  aheadMs = 0;
  await note("right again");
  await eventually("the newest state to be found", async () => (await notes()).includes("right again"));
  await shipper.stop();
  expect(log.lines).toContainEqual(expect.objectContaining({ message: "continuous copies begin anew" }));
}, 20_000);

test("K-01 continuous copies remove none while the clock can't be trusted", async () => {
  // A copy is whole once it has its manifest.
  const copies = async () => (await disk.list()).files.filter(({ name }) => name.endsWith(".manifest.json")).length;
  for (const ahead of [0, 2 * day]) {
    aheadMs = ahead;
    const shipper = ship({ ages: untrusted });
    const before = await copies();
    await eventually("a copy", async () => (await copies()) > before);
    await shipper.stop();
  }
  const before = await copies();
  expect(before).toBeGreaterThan(1);
  aheadMs = 4 * day;
  const shipper = ship();
  await eventually("old copies to go", async () =>
    (await listCopies(vaultOf(disk))).every(({ at }) => at > Date.now() + day),
  );
  await shipper.stop();
});
