import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/log.ts";
import { openRows, type Rows } from "../support/rows.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

// Schedulers as separate processes, on a clock on which a minute takes a second: the binary's schedules are hourly.
const minuteOfClock = 60_000;
let fixture: TemporaryDatabase;
let rows: Rows;
type Child = Bun.Subprocess<"ignore", "ignore", "inherit">;
let children: Child[];
let begun: number;

interface Run {
  readonly tick: number;
  readonly name: string;
  readonly began: number;
  readonly ended: number | null;
}

beforeEach(async () => {
  fixture = await temporaryDatabase();
  rows = openRows(fixture.path);
  rows.run("create table ticks_run (id text primary key, tick bigint, name text, began_at bigint, ended_at bigint)");
  children = [];
  begun = Date.now();
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map((child) => child.exited));
  rows.close();
  await fixture.dispose();
});

function start(name: string) {
  const script = join(import.meta.dir, "scheduler.process.ts");
  const child = Bun.spawn([process.execPath, "--no-env-file", script, fixture.path, name, String(begun)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  children.push(child);
  return child;
}

const runs = (): Run[] =>
  rows.all<Run>("select tick, name, began_at as began, ended_at as ended from ticks_run order by began_at");

const dueAt = ({ tick }: Run): number => begun + (tick - begun) / (minuteOfClock / 1_000);
const isLate = (run: Run): boolean => run.began - dueAt(run) > 800;

/** Expects no tick to run twice, and no run to begin before the previous one has ended. A killed run has ended. */
function expectOneAfterTheOther(all: readonly Run[]): void {
  const ticks = all.map(({ tick }) => tick);
  expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b));
  for (const [index, { began }] of all.entries()) expect(began).toBeGreaterThanOrEqual(all[index - 1]?.ended ?? 0);
}

describe("two schedulers in processes of their own", () => {
  test("run each tick exactly once", async () => {
    const both = [start("ada"), start("grace")];
    await eventually("six ticks", () => runs().length >= 6, 20_000);
    for (const child of both) child.kill("SIGTERM");
    expect(await Promise.all(both.map((child) => child.exited))).toEqual([0, 0]);
    const all = runs();
    expectOneAfterTheOther(all);
    const [first] = all;
    // If the machine stood still for longer than a tick, some ticks are left out. By contract they are never made up for.
    if (!all.some(isLate))
      expect(all.map(({ tick }) => tick)).toEqual(all.map((_, n) => (first?.tick ?? 0) + n * minuteOfClock));
    expect(all.filter(({ ended }) => ended === null)).toEqual([]);
  }, 40_000);

  test("run none twice when one is killed in the middle of a run, and the other goes on when its lock has run out", async () => {
    const living = new Map<string, Child>([
      ["ada", start("ada")],
      ["grace", start("grace")],
    ]);
    const inHand = (): Run | undefined => runs().find(({ ended }) => ended === null);
    for (let kills = 0; kills < 2; kills += 1) {
      const before = runs().length;
      await eventually("a run under way", () => inHand() !== undefined && runs().length > before + 1, 20_000);
      const { name = "" } = inHand() ?? {};
      const victim = living.get(name);
      victim?.kill("SIGKILL");
      await victim?.exited;
      const killed = runs().length;
      if (kills === 0) living.set(name, start(name));
      await eventually("three more ticks", () => runs().length >= killed + 3, 20_000);
    }
    expectOneAfterTheOther(runs());
  }, 60_000);
});
