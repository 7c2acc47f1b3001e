import { expect, test } from "bun:test";
import { join } from "node:path";
import { listCopies, routeTo, type CopyFile } from "../../src/backup/changes/history.ts";
import { rebuild } from "../../src/backup/changes/rebuild.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { openStorage } from "../../src/drivers/storage/open.ts";
import { openImmutable } from "../../src/drivers/database/sqlite/files.ts";
import { vaultOf } from "../support/backups.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";

const folder = sharedFolder();
const path = join(folder, "app.db");
const disk = openStorage({
  config: { driver: "local", path: join(folder, "disk") },
  name: "offsite",
  clock: systemClock,
});
const vault = vaultOf(disk);
const never = new AbortController().signal;
const run = (script: string, ...args: string[]) =>
  Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], { stdout: "pipe", stderr: "inherit" });

interface Acknowledged {
  readonly number: number;
  readonly at: number;
}

/** Starts a writer in its own process, and collects the commits that it acknowledged. */
function startWriter(name: string, seed: number) {
  const child = run("continuous.writer.process.ts", path, name, String(seed));
  const acknowledged: Acknowledged[] = [];
  const reading = (async () => {
    let text = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = `${text}${chunk}`.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const [number = 0, at = 0] = line.split(" ").map(Number);
        acknowledged.push({ number, at });
      }
    }
  })();
  return { name, child, acknowledged, reading };
}

interface Totals {
  readonly writer: string;
  readonly entries: number;
  readonly bytes: number;
}
interface Found extends Totals {
  readonly newest: number;
}

let restored = 0;
/** Rebuilds the state at the end of the route, and checks that it is whole. */
async function restore(files: readonly CopyFile[], at: number) {
  const route = routeTo(files, at);
  if (route === undefined) return undefined;
  const target = join(folder, `restored-${(restored += 1)}.db`);
  const state = await rebuild(vault, route, target, { signal: never });
  using connection = openImmutable(target);
  expect(connection.query<{ integrity_check: string }, []>("pragma integrity_check").all()).toEqual([
    { integrity_check: "ok" },
  ]);
  const totals = connection.query<Totals, []>("select writer, entries, bytes from totals order by writer").all();
  const found = connection
    .query<Found, []>(
      "select writer, count(*) as entries, sum(length(body)) as bytes, max(number) as newest from entries group by writer order by writer",
    )
    .all();
  // Each commit is there whole or not at all, and none is there without the commits before it.
  expect(found).toEqual(
    totals.filter(({ entries }) => entries > 0).map((total) => ({ ...total, newest: total.entries })),
  );
  return { ...state, route, count: (writer: string) => totals.find((total) => total.writer === writer)?.entries ?? 0 };
}

test("B-42 what is restored is a state that was committed, with all that was acknowledged before its time, whoever is killed", async () => {
  const { database } = openDatabase({ driver: "sqlite", path }, {});
  await database.run("create table entries (writer text, number integer, body text)");
  await database.run("create table totals (writer text primary key, entries integer, bytes integer)");
  await database.run("insert into totals values ('ada', 0, 0), ('grace', 0, 0)");
  const writers = [startWriter("ada", 1), startWriter("grace", 2)];
  let shipper = run("continuous.shipper.process.ts", path, join(folder, "disk"));
  const hasSeries = async (count: number) =>
    new Set((await listCopies(vault)).filter(({ kind }) => kind === "copy").map(({ series }) => series)).size >= count;
  let lastAt = 0;
  for (let kills = 0; kills < 4; kills += 1) {
    await eventually("a copy of the new series", () => hasSeries(kills + 1), 60_000);
    const enough = (await listCopies(vault)).length + 5 + Math.floor(Math.random() * 25);
    await eventually("some changes", async () => (await listCopies(vault)).length >= enough, 60_000);
    shipper.kill("SIGKILL");
    await shipper.exited;
    const state = await restore(await listCopies(vault), Date.now());
    expect(state?.at).toBeGreaterThanOrEqual(lastAt);
    lastAt = state?.at ?? 0;
    for (const { name, acknowledged } of writers) {
      const before = acknowledged.filter(({ at }) => at < lastAt).at(-1)?.number ?? 0;
      expect(state?.count(name)).toBeGreaterThanOrEqual(before);
    }
    shipper = run("continuous.shipper.process.ts", path, join(folder, "disk"));
  }
  await eventually("a copy of the last series", () => hasSeries(5), 60_000);
  // A writer that is killed in the middle of a commit leaves none of it.
  writers[1]?.child.kill("SIGKILL");
  const enough = (await listCopies(vault)).length + 20;
  await eventually("some changes", async () => (await listCopies(vault)).length >= enough, 60_000);
  for (const { child } of writers) child.kill("SIGTERM");
  await Promise.all(writers.flatMap(({ child, reading }) => [child.exited, reading]));
  shipper.kill("SIGTERM");
  expect(await shipper.exited).toBe(0);
  const lines: { message: string }[] = JSON.parse(await shipper.stdout.text());
  // The processes took over from each other without a loss, so the last one began only one series.
  expect(lines.filter(({ message }) => message !== "database copied")).toEqual([]);

  const files = await listCopies(vault);
  const end = await restore(files, Date.now());
  const rows = "select * from entries order by rowid";
  using connection = openImmutable(join(folder, `restored-${restored}.db`));
  expect(connection.query(rows).all()).toEqual(await database.all(rows));
  const times = files.map(({ at }) => at);
  const [first, last] = [Math.min(...times), end?.at ?? 0];
  let older = { at: 0, ada: 0, grace: 0 };
  for (const at of Array.from({ length: 8 }, () => first + Math.random() * (last - first)).toSorted((a, b) => a - b)) {
    const state = await restore(files, at);
    if (state === undefined) continue;
    const now = { at: state.at, ada: state.count("ada"), grace: state.count("grace") };
    expect(now.at).toBeGreaterThanOrEqual(older.at);
    if (now.at > older.at) {
      expect(now.ada).toBeGreaterThanOrEqual(older.ada);
      expect(now.grace).toBeGreaterThanOrEqual(older.grace);
    }
    for (const { name, acknowledged } of writers) {
      const before = acknowledged.filter((each) => each.at < state.at).at(-1)?.number ?? 0;
      expect(state.count(name)).toBeGreaterThanOrEqual(before);
    }
    older = now;
  }
  await database.close();
  await disk.close();
}, 180_000);
