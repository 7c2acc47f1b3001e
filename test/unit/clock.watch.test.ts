import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { type App, createApp } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { hour, minute } from "../../src/core/clock.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { readExposition } from "../support/exposition.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

const day = 24 * hour;
const noon = Date.UTC(2026, 5, 1, 12, 0, 30);

let temporary: TemporaryDatabase;
let log: ReturnType<typeof createRecordingLog>;
let app: App | undefined;
let wall: number;
let monotonic: number;
beforeEach(async () => {
  temporary = await temporaryDatabase();
  log = createRecordingLog();
  [wall, monotonic] = [noon, 1_000];
});
afterEach(async () => {
  await app?.scheduler.stop(0);
  await app?.close();
  app = undefined;
  await temporary.dispose();
});

const pass = (ms: number): void => void ([wall, monotonic] = [wall + ms, monotonic + ms]);

/** Starts the app and its schedules, by clocks that the test sets. */
async function start(): Promise<App> {
  const loaded = loadConfig({ app: definitions.app, env: testEnvironment(dirname(temporary.path)) });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const clocks = { clock: { now: () => wall }, monotonic: () => monotonic };
  app = await createApp({
    definition: definitions.app,
    config: loaded.config,
    build,
    log,
    database: temporary,
    ...clocks,
  });
  app.clockWatch.start();
  app.scheduler.start();
  return app;
}

/** Stores a row of each kind that is deleted by age, as old as may be kept. */
async function keepRows(): Promise<void> {
  const { database } = temporary;
  const at = wall - 2 * minute;
  await database.run(
    "insert into audit_events (id, at, app, action, outcome, actor, count) values ('a', $at, 'app', 'auth.logged-in', 'success', 'user', 1)",
    { at },
  );
  await database.run(
    "insert into mails (id, kind, app, state, attempts, count, requested_at, changed_at) values ('m', 'reset', 'app', 'sent', 1, 1, $at, $at)",
    { at },
  );
  await database.run(
    "insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at) values ('ada', 1, $at, $at + 129600000)",
    { at },
  );
  await database.run(
    `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at)
     values ('d', 'default', 'app', 'a:b', '{}', 'dead', 1, 1, $at, $at, $at), ('j', 'other', 'app', 'a:b', '{}', 'pending', 0, 1, $at, $at, null)`,
    { at },
  );
}
const kept = async (): Promise<readonly string[]> =>
  (
    await temporary.database.all<{ id: string }>(
      `select 'audit' as id from audit_events union all select 'mail' from mails union all select 'attempt' from auth_attempts
       union all select state from jobs order by 1`,
    )
  ).map(({ id }) => id);
const all = ["attempt", "audit", "dead", "mail", "pending"];

const linesOf = (message: string) => log.lines.filter((line) => line.message === message);
const ran = (message: string, schedule: string): number =>
  linesOf(message).filter(({ fields }) => fields?.["schedule"] === schedule).length;
const heldBack = "schedule held back: the clock can't be trusted yet";
const deleting = ["auth:cleanup", "audit:prune", "queue:prune", "cache:prune", "figures:collect"];
const metric = async (name: string): Promise<number | undefined> =>
  readExposition((await app?.metrics.scrape()) ?? "").series.find((series) => series.name === name)?.value;

describe("deleting by age", () => {
  test("K-01 K-04 what a clock calls old that has jumped is held back, told, and kept when the clock is right again", async () => {
    const by = 400 * day;
    await start();
    await keepRows();
    pass(hour + minute);
    await eventually("an hourly run", () => ran("schedule done", "audit:prune") === 1);
    expect(await metric("clock_trusted")).toBe(1);
    expect(await kept()).toEqual(all);

    wall += by;
    await eventually("every schedule to be held back", () => deleting.every((name) => ran(heldBack, name) > 0));
    expect(await kept()).toEqual(all);
    expect(await metric("clock_trusted")).toBe(0);
    expect(linesOf("schedule failed")).toEqual([]);
    const [told, ...more] = linesOf("the clock can't be trusted yet: nothing is deleted by age").filter(
      ({ level }) => level === "warn",
    );
    expect(more).toEqual([]);
    expect(told?.fields).toMatchObject({ reason: "it jumped by more than a minute", minutes: 60 });

    wall -= by;
    pass(minute);
    await app?.clockWatch.trusted();
    expect(await app?.clockWatch.trusted()).toEqual({ heldForMs: hour });
    expect(await kept()).toEqual(all);
  }, 20_000);

  test("K-04 what was held back runs once the hour is over, whenever its next time is", async () => {
    await start();
    await keepRows();
    wall += 400 * day;
    await eventually("queue:prune to be held back", () => ran(heldBack, "queue:prune") === 1);
    // Nobody sets the clock right: after an hour of even running it is taken for right.
    pass(hour);
    await eventually("queue:prune to run", () => ran("schedule done", "queue:prune") === 1);
    await eventually("all of it to be deleted", async () => (await kept()).length < 2);
    expect(await metric("clock_jumps_total")).toBeGreaterThan(0);
  }, 20_000);
});
