import { afterEach, beforeEach, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { copyName, listCopies, newSeries, routeTo } from "../../src/backup/changes/history.ts";
import { encode, type Head } from "../../src/backup/changes/object.ts";
import { rebuild } from "../../src/backup/changes/rebuild.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { abilitiesOf, ada, examine, vaultOf } from "../support/backups.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";

let fixture: TemporaryDatabase;
let folder: string;
let disk: Storage;
beforeEach(async () => {
  fixture = await temporaryDatabase();
  folder = dirname(fixture.path);
  disk = openStorage({ config: { driver: "local", path: join(folder, "disk") }, name: "offsite", clock: systemClock });
});
afterEach(async () => {
  await disk.close();
  await fixture.dispose();
});

/** Puts a whole copy on the disk as release 0.2.0 did, or as a forger does who has no key. */
async function putCopy(format: 1 | 2, key: Uint8Array): Promise<void> {
  const path = join(folder, `copy-${format}.db`);
  await abilitiesOf(fixture).backups.backUp(path, { replace: true });
  const pages = Bun.file(path).size / 4096;
  const now = Date.now();
  const shape = { page_size: 4096, page_count: pages, pages };
  const head: Head = {
    gatehouse: "copy",
    format,
    series: newSeries(now),
    sequence: 0,
    at: now,
    after: "0".repeat(64),
    ...shape,
  };
  await disk.put(copyName(ada, head), encode(head, Bun.file(path).stream(), { key }));
}

async function rebuilt(unproven?: (why: string) => void): Promise<string> {
  const vault = vaultOf(disk, { unproven });
  const route = routeTo(await listCopies(vault, ada), Number.POSITIVE_INFINITY);
  if (route === undefined) throw new Error("there is no route");
  const path = join(folder, "rebuilt.db");
  await rebuild(vault, route, path, { signal: new AbortController().signal });
  return path;
}

test("B-49 continuous copies of release 0.2.0 are taken with --unverified alone, and said to be unproved", async () => {
  await putCopy(1, new Uint8Array());
  await expect(rebuilt()).rejects.toThrow("was made by release 0.2.0 or an earlier one");
  await Bun.file(join(folder, "rebuilt.db")).delete();
  const told: string[] = [];
  expect((await examine(await rebuilt((why) => told.push(why)))).strange).toEqual([]);
  expect(told).toEqual([expect.stringContaining("proves whose it is")]);
});

test("B-47 a copy that somebody without the key has made is refused, with --unverified too", async () => {
  await putCopy(2, new TextEncoder().encode("not the key"));
  for (const unproven of [undefined, () => undefined]) {
    await expect(rebuilt(unproven)).rejects.toThrow("is damaged: it is not what this installation has put there");
    await Bun.file(join(folder, "rebuilt.db")).delete();
  }
});
