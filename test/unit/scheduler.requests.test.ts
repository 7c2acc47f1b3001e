import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Schedule } from "../../src/core/module.ts";
import { cronInWords } from "../../src/staff/console/schedules/cron.words.ts";
import { staffWordsIn } from "../../src/words/staff.ts";
import { createScheduleBoard, createScheduler, type Scheduler } from "../../src/scheduler/index.ts";
import { createScheduleRepository } from "../../src/scheduler/schedule.repository.ts";
import { type JobDatabase, openJobDatabase } from "../drivers/queue.database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

describe("S-43 a run that somebody asks for", () => {
  let fixture: JobDatabase;
  let log: ReturnType<typeof createRecordingLog>;
  const schedulers: Scheduler[] = [];
  const noon = Date.UTC(2026, 0, 1, 12, 0, 30);
  let now = noon;
  const clock = { now: () => now };
  const daily = (run: Schedule["run"]): Schedule => ({ name: "backup:daily", cron: "40 3 * * *", run });
  const board = () => createScheduleBoard({ database: fixture.database, clock });
  const ask = async (): Promise<boolean> =>
    (await fixture.database.batch([board().request("backup:daily", "grace")])).applied;
  const state = async () => (await board().list())[0];
  const start = (run: Schedule["run"]): void => {
    const scheduler = createScheduler({ database: fixture.database, schedules: [daily(run)], clock, log, pollMs: 3 });
    schedulers.push(scheduler);
    scheduler.start();
  };
  const known = () => eventually("the schedule to be known", async () => (await state()) !== undefined);

  beforeEach(async () => {
    now = noon;
    fixture = await openJobDatabase();
    log = createRecordingLog();
  });
  afterEach(async () => {
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop(0)));
    await fixture.dispose();
  });

  test("is run once by one of two schedulers, and tells who asked and how it went", async () => {
    let runs = 0;
    const run = async (): Promise<void> => {
      runs += 1;
      now += 250;
    };
    start(run);
    start(run);
    await known();
    expect(await ask()).toBe(true);
    await eventually("the end of the run", async () => (await state())?.runs[0]?.endedAt !== null && runs > 0);
    expect(await state()).toMatchObject({
      cron: "40 3 * * *",
      requestedAt: null,
      nextRunAt: Date.UTC(2026, 0, 2, 3, 40),
      runs: [{ startedAt: noon, endedAt: noon + 250, ok: 1, error: null, requestedBy: "grace" }],
    });
    expect(runs).toBe(1);
  });

  test("waits for the run that is under way, is asked for once at a time, and can be withdrawn meanwhile", async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    start(async () => {
      runs += 1;
      await gate.promise;
    });
    await known();
    await ask();
    await eventually("the first run", async () => runs === 1 && (await state())?.isRunning === true);
    expect(await ask()).toBe(true);
    expect(await ask()).toBe(false);
    const withdraw = () => fixture.database.batch([board().withdraw("backup:daily")]);
    expect((await withdraw()).applied).toBe(true);
    expect((await withdraw()).applied).toBe(false);
    await ask();
    expect(runs).toBe(1);
    now += 1;
    gate.resolve();
    await eventually("the second run", () => runs === 2);
  });

  test("leaves the error of a run that failed; the last twenty runs are kept", async () => {
    start(async () => {
      throw new Error("the disk is full");
    });
    await known();
    const rows = createScheduleRepository(fixture.database);
    for (let index = 0; index < 25; index += 1)
      await rows.began({
        id: `run-${index}`,
        name: "backup:daily",
        startedAt: noon - 1_000 + index,
        requestedBy: null,
      });
    await ask();
    await eventually("the run to fail", async () => (await state())?.runs[0]?.ok === 0);
    const { runs = [] } = (await state()) ?? {};
    expect(runs[0]).toMatchObject({ error: "the disk is full", requestedBy: "grace" });
    expect(runs).toHaveLength(20);
    expect(runs[1]).toMatchObject({ id: "run-24", endedAt: null });
  });

  test("K-07 begins at once though its next tick was taken while the clock was ahead", async () => {
    let runs = 0;
    start(async () => void (runs += 1));
    await known();
    // The tick of 03:40 is a quarter of an hour away, and was taken early.
    now = Date.UTC(2026, 0, 2, 3, 25);
    await fixture.database.run(
      "insert into schedule_runs values ('backup:daily', $at, 0, 'ahead') on conflict (name) do update set last_tick_at = $at",
      { at: Date.UTC(2026, 0, 2, 3, 40) },
    );
    expect(await ask()).toBe(true);
    await eventually("the run", () => runs === 1);
  });

  test("K-07 the last runs are those of the right time, though more were noted while the clock was ahead", async () => {
    const rows = createScheduleRepository(fixture.database);
    const began = (id: string, startedAt: number) =>
      rows.began({ id, name: "backup:daily", startedAt, requestedBy: null });
    for (let run = 0; run < 25; run += 1) await began(`ahead ${run}`, noon + 400 * 24 * 3_600_000 + run);
    for (let run = 0; run < 3; run += 1) await began(`right ${run}`, noon + run);
    const ids = (await rows.history(noon)).map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(["right 2", "right 1", "right 0"]);
    expect(ids).toHaveLength(20);
  });
});

test("how often a schedule comes is said in words", () => {
  const crons = ["* * * * *", "*/5 * * * *", "37 * * * *", "50 4 * * *", "0 3 * * 1", "0 3 1 * *", "1,2 3 * * *"];
  const said = (language: string) =>
    crons.map((cron) => cronInWords(cron, { words: staffWordsIn(language).schedules.often, language }));
  expect(said("en")).toEqual([
    "every minute",
    "every 5 minutes",
    "every hour, at minute 37",
    "every day at 04:50 UTC",
    "every Monday at 03:00 UTC",
    "on day 1 of every month at 03:00 UTC",
    undefined,
  ]);
  expect(said("de")).toEqual([
    "jede Minute",
    "alle 5 Minuten",
    "jede Stunde, in Minute 37",
    "jeden Tag um 04:50 UTC",
    "jeden Montag um 03:00 UTC",
    "am 1. jedes Monats um 03:00 UTC",
    undefined,
  ]);
});
