import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listCopies, newSeries, routeTo, superfluous, type CopyFile } from "../../src/backup/changes/history.ts";
import { rebuild } from "../../src/backup/changes/rebuild.ts";
import { createShipper, type ShipperOptions } from "../../src/backup/changes/shipper.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { openImmutable } from "../../src/drivers/database/sqlite/files.ts";
import { agesOf } from "../support/ages.ts";
import { abilitiesOf, ada, examine, vaultOf } from "../support/backups.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";
import { canMount, smallDisk } from "../support/small.disk.ts";

const never = new AbortController().signal;

let fixture: TemporaryDatabase;
let folder: string;
let disk: Storage;
let log: ReturnType<typeof createRecordingLog>;
const running: { stop(): Promise<void> }[] = [];

const openDisk = (path: string): Storage =>
  openStorage({ config: { driver: "local", path }, name: "offsite", clock: systemClock });

beforeEach(async () => {
  fixture = await temporaryDatabase();
  folder = dirname(fixture.path);
  disk = openDisk(join(folder, "disk"));
  log = createRecordingLog();
  await fixture.database.run("create table notes (body text)");
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  await disk.close();
  await fixture.dispose();
});

function ship(more: Partial<ShipperOptions> = {}) {
  const shipper = createShipper({
    changes: abilitiesOf(fixture).changes,
    installation: ada,
    examine,
    vault: vaultOf(disk),
    place: { workFolder: join(folder, "work"), workFile: "changes.db" },
    everyMs: 20,
    keepMs: hour,
    clock: systemClock,
    ages: agesOf(systemClock),
    log,
    pollMs: 5,
    restMs: 20,
    ...more,
  });
  running.push(shipper);
  shipper.start();
  return shipper;
}
const note = (body: string) => fixture.database.run("insert into notes values ($body)", { body });
const files = (of = disk): Promise<readonly CopyFile[]> => listCopies(vaultOf(of));
const series = async (): Promise<number> => new Set((await files()).map((file) => file.series)).size;

let restored = 0;
async function notes(of = disk): Promise<string[] | undefined> {
  const vault = vaultOf(of);
  const route = routeTo(await listCopies(vault), Date.now());
  if (route === undefined) return undefined;
  const path = join(folder, `restored-${(restored += 1)}.db`);
  await rebuild(vault, route, path, { signal: never });
  using connection = openImmutable(path);
  return connection
    .query<{ body: string }, []>("select substr(body, 1, 20) as body from notes order by rowid")
    .all()
    .map(({ body }) => body);
}
const has = (body: string, of = disk) =>
  eventually(body, async () => (await notes(of))?.includes(body) === true, 30_000);

test("a disk that is away for a while gets what was committed meanwhile, in the same series", async () => {
  let copiedAt = 0;
  ship({ onCopied: (at) => (copiedAt = at) });
  await note("before");
  await has("before");
  await eventually("the manifest of the copy", () => copiedAt > 0, 30_000);
  // A file stands where the folder was, so that no put works.
  renameSync(join(folder, "disk"), join(folder, "away"));
  writeFileSync(join(folder, "disk"), "");
  const failed = () => log.lines.filter(({ message }) => message === "changes could not be copied").length;
  await note("meanwhile");
  await eventually("a failure", () => failed() > 0, 30_000);
  const lastAt = copiedAt;
  for (let count = 0; count < 5; count += 1) await note(`more ${count}`);
  expect(failed()).toBe(1);
  expect(copiedAt).toBe(lastAt);
  await Bun.file(join(folder, "disk")).delete();
  renameSync(join(folder, "away"), join(folder, "disk"));
  await has("more 4");
  expect(await series()).toBe(1);
  await eventually("its end in the log", () => log.lines.some(({ message }) => message === "continuous copies go on"));
  expect(copiedAt).toBeGreaterThan(lastAt);
});

test.skipIf(!canMount)("B-43 a full disk keeps the last good copy, and is told once", async () => {
  using small = smallDisk(2048);
  const full = openDisk(join(small.folder, "disk"));
  ship({ vault: vaultOf(full) });
  await note("kept");
  await has("kept", full);
  const before = await notes(full);
  await fixture.database.run("insert into notes values (hex(randomblob(3000000)))");
  await eventually(
    "a failure",
    () => log.lines.some(({ message }) => message === "changes could not be copied"),
    30_000,
  );
  await Bun.sleep(100);
  expect((await notes(full))?.slice(0, before?.length)).toEqual(before);
  expect(log.lines.filter(({ message }) => message === "changes could not be copied")).toHaveLength(1);
  for (const each of running.splice(0)) await each.stop();
  await full.close();
});

test("more than fits in memory begins a new series, with a copy", async () => {
  ship();
  await note("small");
  await has("small");
  await fixture.database.run(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 90) insert into notes select hex(randomblob(400000)) from n",
  );
  await note("after");
  await has("after");
  expect(await series()).toBe(2);
  expect(log.lines.map(({ message }) => message)).toContain("continuous copies begin anew");
}, 60_000);

test("one of several follows, and another one goes on when it ends", async () => {
  const first = ship();
  await note("first");
  await has("first");
  ship({ log: createRecordingLog() });
  await note("still the first");
  await has("still the first");
  expect(await series()).toBe(1);
  await first.stop();
  await note("the second");
  await has("the second");
  expect(await series()).toBe(2);
}, 60_000);

describe("B-44 of a file that is not what was put, the restore says which it is", () => {
  const paths = async (): Promise<readonly string[]> => (await files()).map(({ name }) => join(folder, "disk", name));
  async function prepared(): Promise<readonly string[]> {
    const shipper = ship();
    for (const body of ["one", "two", "three"]) {
      await note(body);
      await has(body);
    }
    await shipper.stop();
    return paths();
  }

  test.each([
    [
      "changed",
      (bytes: Buffer) => bytes.fill(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100, bytes.length - 99),
    ],
    ["cut off", (bytes: Buffer) => bytes.subarray(0, -10)],
    ["longer", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")])],
    ["empty", () => Buffer.alloc(0)],
  ] as const)("%s", async (_, spoil) => {
    for (const path of await prepared()) {
      const bytes = await readFile(path);
      writeFileSync(path, spoil(Buffer.from(bytes)));
      const kind = path.endsWith(".copy") ? "copy" : "pages";
      // An older copy, or pages before the newest copy, may not be needed at all.
      const name = path.slice(join(folder, "disk").length + 1);
      const route = routeTo(await files(), Date.now());
      if ([route?.copy, ...(route?.changes ?? [])].some((file) => file?.name === name))
        await expect(notes()).rejects.toThrow(new RegExp(`[.]${kind} (is damaged|has [0-9]+ bytes)`));
      writeFileSync(path, bytes);
    }
    expect(await notes()).toContain("three");
  });

  test("another one's content", async () => {
    const pages = (await prepared()).filter((path) => path.endsWith(".pages"));
    const [one = "", two = ""] = pages.slice(-2);
    writeFileSync(two, await readFile(one));
    await expect(notes()).rejects.toThrow("is damaged: it is another file of that kind under this name");
  });

  test("under another time, or with a date that is none", async () => {
    const last = (await prepared()).findLast((path) => path.endsWith(".pages")) ?? "";
    const dated = (time: string) => last.replace(/\d{8}T\d{6}Z\.pages$/, `${time}.pages`);
    const bytes = await readFile(last);
    writeFileSync(dated("99999999T999999Z").replace(/pages$/, "copy"), bytes);
    expect(await notes()).toContain("three");
    await Bun.file(last).delete();
    writeFileSync(dated("20260101T000000Z"), bytes);
    await expect(notes()).rejects.toThrow("is damaged: it is another file of that kind under this name");
  });

  test("it can't make a restore write more than it holds", async () => {
    const path = (await prepared()).find((each) => each.endsWith(".copy")) ?? "";
    const bytes = await readFile(path);
    const end = bytes.indexOf(10);
    // The content proves itself where a process was killed before it put the manifest.
    await Bun.file(`${path}.manifest.json`).delete();
    for (const [more, why] of [
      [{ pages: 1e12 }, "it names more pages than it holds"],
      [{ pages: 0 }, "it does not hold the whole database"],
      [{ page_count: 2 ** 40 }, "its first line is none of such a file"],
    ] as const) {
      const head = Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString("utf8", 0, end)), ...more }));
      writeFileSync(path, Buffer.concat([head, bytes.subarray(end)]));
      for (const other of await paths()) if (other !== path && other.endsWith(".copy")) await Bun.file(other).delete();
      await expect(notes()).rejects.toThrow(why);
    }
  });

  test("missing: what comes before it is restored", async () => {
    const pages = (await prepared()).filter((path) => path.endsWith(".pages"));
    const whole = await notes();
    await Bun.file(pages.at(-2) ?? "").delete();
    const less = await notes();
    expect(whole?.slice(0, less?.length)).toEqual(less);
  });
});

describe("what is kept", () => {
  const file = (kind: "copy" | "pages", name: string, sequence: number, at: number): CopyFile => ({
    name: `${name}/${sequence}.${kind}`,
    size: 1,
    modifiedAt: at,
    kind,
    owner: "testing-1",
    series: name,
    sequence,
    at,
  });
  const all = [
    file("copy", "a", 0, 10),
    file("pages", "a", 1, 20),
    file("copy", "a", 1, 20),
    file("pages", "a", 2, 30),
    file("copy", "b", 0, 40),
    file("pages", "b", 1, 50),
  ];
  const names = (of: readonly CopyFile[]) => of.map(({ name }) => name);

  test("B-45 every state since then can be restored, and the last copy stays however old it is", () => {
    expect(names(superfluous(all, 5))).toEqual([]);
    expect(names(superfluous(all, 25))).toEqual(["a/0.copy", "a/1.pages"]);
    expect(names(superfluous(all, 45))).toEqual(["a/0.copy", "a/1.pages", "a/1.copy", "a/2.pages"]);
    for (const since of [15, 25, 35, 45, 1_000]) {
      const gone = new Set(names(superfluous(all, since)));
      const kept = all.filter(({ name }) => !gone.has(name));
      for (const at of [15, 25, 35, 45, 1_000].filter((time) => time >= since))
        expect(routeTo(kept, at)?.end.at).toBe(routeTo(all, at)?.end.at);
    }
  });

  test("B-42 of two series that began within a second the later one is restored", () => {
    const began = Date.UTC(2026, 10, 22, 23, 39, 11, 9);
    const [earlier, later] = [newSeries(began), newSeries(began + 1)];
    expect(earlier < later).toBe(true);
    const both = [file("copy", earlier, 0, 10), file("pages", earlier, 1, 10), file("copy", later, 0, 10)];
    expect(routeTo(both, 1_000)?.end.series).toBe(later);
  });

  test("a copy that never came leaves what was before", () => {
    const without = all.filter(({ name }) => name !== "b/0.copy");
    expect(routeTo(without, 1_000)?.end.name).toBe("a/2.pages");
    expect(names(superfluous(without, 45))).toEqual(["a/0.copy", "a/1.pages"]);
  });
});
