import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { type ArchiveOptions, createArchive } from "../../src/backup/archive.ts";
import { listCopies, routeTo } from "../../src/backup/changes/history.ts";
import { rebuild } from "../../src/backup/changes/rebuild.ts";
import { createShipper } from "../../src/backup/changes/shipper.ts";
import { backUpToFile, inPlainFile } from "../../src/backup/plain.file.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { agesOf } from "../support/ages.ts";
import { abilitiesOf, ada, examine, vaultOf } from "../support/backups.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

const signal = new AbortController().signal;
const manifestOptions = { installation: ada, clock: systemClock };

let fixture: TemporaryDatabase;
let folder: string;
let disk: Storage;
beforeAll(async () => {
  fixture = await temporaryDatabase();
  folder = dirname(fixture.path);
  disk = openStorage({ config: { driver: "local", path: join(folder, "disk") }, name: "offsite", clock: systemClock });
});
afterAll(async () => {
  await disk.close();
  await fixture.dispose();
});

/** Returns the first and the last places, and some at random between them. */
function positions(size: number, some: number): readonly number[] {
  const ends = Array.from({ length: 24 }, (_, index) => [index, size - 1 - index]).flat();
  const between = Array.from({ length: some }, () => Math.floor(Math.random() * size));
  return [...new Set([...ends, ...between])].filter((at) => at >= 0 && at < size);
}

/** Flips one bit at each place of the file. Resolves to the places where `read` took the file for a backup. */
async function unnoticed(path: string, places: readonly number[], read: () => Promise<unknown>): Promise<string[]> {
  const whole = readFileSync(path);
  const taken: string[] = [];
  await read();
  for (const at of places) {
    const bit = Math.floor(Math.random() * 8);
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
    writeFileSync(path, bytes);
    const outcome = await read().then(
      () => "taken",
      (error: unknown) => error,
    );
    if (!(outcome instanceof Error) || outcome.message === "") taken.push(`byte ${at}, bit ${bit}`);
  }
  writeFileSync(path, whole);
  await read();
  return taken;
}

test("B-47 no bit of a backup in a file, or of its manifest, can be flipped unnoticed", async () => {
  const path = join(folder, "by-hand.db");
  const place = { workFolder: join(folder, "work"), workFile: "plain.db" };
  const work = { signal };
  await backUpToFile(abilitiesOf(fixture).backups, {
    path,
    replace: false,
    work,
    examine,
    ...manifestOptions,
  });
  const read = () => inPlainFile({ ...manifestOptions, path, identities: [], place, work }, async () => "taken");
  const { size } = Bun.file(path);
  expect(await unnoticed(path, positions(size, 300), read)).toEqual([]);
  const manifest = `${path}.manifest.json`;
  const all = Array.from({ length: Bun.file(manifest).size }, (_, at) => at);
  // The last byte ends the line and says nothing, but only space is allowed there.
  for (let round = 0; round < 3; round += 1) expect(await unnoticed(manifest, all, read)).toEqual([]);
}, 120_000);

test.each(["as it is", "encrypted"])(
  "B-47 no bit of a backup on a disk, %s, can be flipped unnoticed",
  async (how) => {
    const identity = await generateX25519Identity();
    const recipient = how === "encrypted" ? await identityToRecipient(identity) : undefined;
    const place = { workFolder: join(folder, "work"), workFile: "archive.db" };
    const options: ArchiveOptions = { ...place, ...manifestOptions, disk, recipient, identities: [identity], examine };
    const archive = createArchive(options);
    const { name } = await archive.add(abilitiesOf(fixture).backups, { signal });
    const path = join(folder, "disk", name);
    let handedOn = 0;
    const read = () => archive.fetch(name, { signal }, async () => (handedOn += 1));
    expect(await unnoticed(path, positions(Bun.file(path).size, 150), read)).toEqual([]);
    expect(handedOn).toBe(2);
    // The hash is that of the stored bytes, so that they can be compared without the secret key.
    const { sha256 }: { sha256: string } = JSON.parse(readFileSync(`${path}.manifest.json`, "utf8"));
    expect(sha256).toBe(new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex"));
    await archive.remove(name);
  },
  120_000,
);

test("B-47 no bit of a file of continuous copies can be flipped unnoticed, with or without a manifest", async () => {
  const vault = vaultOf(disk);
  const place = { workFolder: join(folder, "work"), workFile: "changes.db" };
  const shipper = createShipper({
    changes: abilitiesOf(fixture).changes,
    installation: ada,
    vault,
    place,
    examine,
    everyMs: 20,
    keepMs: hour,
    clock: systemClock,
    ages: agesOf(systemClock),
    log: createRecordingLog(),
    pollMs: 5,
  });
  shipper.start();
  const has = (kind: string, count: number) =>
    eventually(
      kind,
      async () => (await listCopies(vault)).filter((file) => file.kind === kind).length >= count,
      30_000,
    );
  await has("copy", 1);
  for (const round of [1, 2]) {
    await fixture.database.run("insert into cache_entries values ('flips', $round, 'x', null)", {
      round: String(round),
    });
    await has("pages", round);
  }
  await shipper.stop();
  const route = routeTo(await listCopies(vault), Date.now());
  if (route === undefined) throw new Error("there is no route");
  let rebuilt = 0;
  const read = async () => {
    const target = join(folder, `rebuilt-${(rebuilt += 1)}.db`);
    try {
      await rebuild(vault, route, target, { signal });
    } finally {
      await Bun.file(target).delete();
    }
  };
  const copy = join(folder, "disk", route.copy.name);
  for (const { name, size } of route.changes.slice(-2))
    expect(await unnoticed(join(folder, "disk", name), positions(size, 40), read)).toEqual([]);
  expect(await unnoticed(copy, positions(route.copy.size, 40), read)).toEqual([]);
  const { series, file } = await Bun.file(`${copy}.manifest.json`).json();
  expect([series, file]).toEqual([route.copy.series, route.copy.name]);
  await Bun.file(`${copy}.manifest.json`).delete();
  expect(await unnoticed(copy, positions(route.copy.size, 40), read)).toEqual([]);
}, 120_000);
