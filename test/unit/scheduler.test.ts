import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hour, minute } from "../../src/core/clock.ts";
import type { Schedule } from "../../src/core/module.ts";
import { createScheduler, type Scheduler, type SchedulerOptions } from "../../src/scheduler/index.ts";
import { type JobDatabase, openJobDatabase } from "../drivers/queue.database.ts";
import { createRecordingLog, eventually } from "../support/log.ts";

describe("the scheduler", () => {
  let fixture: JobDatabase;
  let schedulers: Scheduler[];
  let log: ReturnType<typeof createRecordingLog>;
  let now: number;
  const clock = { now: () => now };
  const start = Date.UTC(2026, 0, 1, 12, 0, 30);

  beforeEach(async () => {
    fixture = await openJobDatabase();
    schedulers = [];
    log = createRecordingLog();
    now = start;
  });
  afterEach(async () => {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop(0)));
    await fixture.dispose();
  });

  function create(schedules: readonly Schedule[], options: Partial<SchedulerOptions> = {}): Scheduler {
    return createScheduler({ database: fixture.database, schedules, clock, log, pollMs: 3, ...options });
  }
  function startScheduler(schedules: readonly Schedule[], options: Partial<SchedulerOptions> = {}): Scheduler {
    const scheduler = create(schedules, options);
    schedulers.push(scheduler);
    scheduler.start();
    return scheduler;
  }
  const everyMinute = (run: Schedule["run"]): Schedule => ({ name: "auth:cleanup", cron: "* * * * *", run });
  const done = (count: number) =>
    eventually(`${count} runs`, () => log.lines.filter(({ message }) => message === "schedule done").length === count);
  const idle = () => eventually("the lock to be free", async () => (await lockedUntil()) === 0);
  const lockedUntil = async () =>
    (await fixture.database.get<{ locked_until: number }>("select locked_until from schedule_runs"))?.locked_until;
  // Every scheduler under test has looked at the clock by then, several times.
  const settled = () => Bun.sleep(40);

  test("runs a schedule when its time comes and not before", async () => {
    let runs = 0;
    startScheduler([everyMinute(async () => void (runs += 1))]);
    await settled();
    expect(runs).toBe(0);
    for (const expected of [1, 2, 3]) {
      now += minute;
      await done(expected);
      await idle();
      expect(runs).toBe(expected);
    }
  });

  test("of two schedulers one runs each tick", async () => {
    const ran: string[] = [];
    for (const instance of ["ada", "grace"])
      startScheduler([everyMinute(async () => void ran.push(instance))], { instance });
    for (const expected of [1, 2, 3, 4]) {
      now += minute;
      await done(expected);
      await settled();
      expect(ran).toHaveLength(expected);
    }
  });

  test("a tick that falls into a run waits for its end, here and in another process", async () => {
    let inHand = 0;
    let runs = 0;
    let most = 0;
    let gate = Promise.withResolvers<void>();
    const run = async () => {
      runs += 1;
      most = Math.max(most, (inHand += 1));
      await gate.promise;
      inHand -= 1;
    };
    for (const instance of ["ada", "grace"]) startScheduler([everyMinute(run)], { instance, lockMs: hour });
    now += minute;
    await eventually("the run", () => runs === 1);
    now += 3 * minute;
    await settled();
    expect(runs).toBe(1);
    const first = gate;
    gate = Promise.withResolvers<void>();
    first.resolve();
    await eventually("the late run", () => runs === 2 || ((now += 1_000), false));
    gate.resolve();
    await done(2);
    expect(most).toBe(1);
  });

  test("the lock of a killed scheduler runs out, and the tick that it blocked is run", async () => {
    await fixture.database.run(
      "insert into schedule_runs (name, last_tick_at, locked_until, locked_by) values ('auth:cleanup', $tick, $until, 'killed')",
      { tick: start - 30_000, until: start + 45_000 },
    );
    let runs = 0;
    startScheduler([everyMinute(async () => void (runs += 1))]);
    now = start + 31_000;
    await settled();
    expect(runs).toBe(0);
    now = start + 46_000;
    // Whoever asked just before the clock was moved asks again a little later.
    await eventually("the run", () => runs === 1 || ((now += 1_000), false));
  });

  test("K-07 a row from a clock that was far ahead blocks nothing", async () => {
    await fixture.database.run(
      "insert into schedule_runs (name, last_tick_at, locked_until, locked_by) values ('auth:cleanup', $at, $at, 'ahead')",
      { at: Date.UTC(2040, 0, 1) },
    );
    startScheduler([everyMinute(async () => {})]);
    now += minute;
    await done(1);
  });

  test("a clock that is set back by days stops no schedule, not even one that was running then", async () => {
    let runs = 0;
    let gate = Promise.resolve();
    startScheduler([everyMinute(async () => ((runs += 1), gate))]);
    now += minute;
    await done(1);
    await idle();
    await settled();
    now -= 48 * hour;
    await settled();
    expect(runs).toBe(1);
    now += minute;
    await done(2);
    await idle();
    await settled();
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    now += minute;
    await eventually("the third run", () => runs === 3);
    now -= 48 * hour;
    held.resolve();
    await done(3);
    await idle();
    await settled();
    gate = Promise.resolve();
    now += minute;
    await done(4);
  });

  test("a failure is logged and the next tick runs all the same", async () => {
    let runs = 0;
    startScheduler([
      everyMinute(async () => {
        runs += 1;
        if (runs === 1) throw new Error("disk full");
      }),
    ]);
    now += minute;
    await eventually("the failure", () =>
      log.lines.some(({ level, message }) => level === "error" && message === "schedule failed"),
    );
    await idle();
    now += minute;
    await done(1);
  });

  test("a database that fails is asked again", async () => {
    await fixture.database.run("alter table schedule_runs rename to schedule_runs_away");
    startScheduler([everyMinute(async () => {})]);
    now += minute;
    await eventually("the failure", () => log.lines.some(({ message }) => message === "schedule could not be claimed"));
    await fixture.database.run("alter table schedule_runs_away rename to schedule_runs");
    now += 5_000;
    await done(1);
  });

  test("a run that takes too long is aborted and does not keep the lock", async () => {
    startScheduler([everyMinute(() => new Promise<void>(() => {}))], { runTimeoutMs: 10 });
    now += minute;
    await eventually("the failure", () => log.lines.some(({ message }) => message === "schedule failed"));
    await idle();
  });

  test("stop lets a run end, and aborts it at the deadline", async () => {
    const signals: AbortSignal[] = [];
    const gate = Promise.withResolvers<void>();
    const waiting = startScheduler([everyMinute(() => gate.promise)]);
    now += minute;
    await eventually("the run", async () => ((await lockedUntil()) ?? 0) > 0);
    const stopped = waiting.stop(5_000);
    gate.resolve();
    await stopped;
    await done(1);

    const stuck = startScheduler([
      everyMinute(async (signal) => {
        signals.push(signal);
        await new Promise<void>(() => {});
      }),
    ]);
    now += minute;
    await eventually("the second run", () => signals.length === 1);
    await stuck.stop(5);
    expect(signals[0]?.aborted).toBe(true);
    expect(await lockedUntil()).toBe(0);
  });

  test("tells what comes next, in UTC", () => {
    const run = async () => {};
    const scheduler = create([
      { name: "auth:cleanup", cron: "15 * * * *", run },
      { name: "backup:daily", cron: "0 3 * * *", run },
    ]);
    expect(scheduler.next()).toEqual([
      { name: "auth:cleanup", cron: "15 * * * *", nextRunAt: Date.UTC(2026, 0, 1, 12, 15) },
      { name: "backup:daily", cron: "0 3 * * *", nextRunAt: Date.UTC(2026, 0, 2, 3) },
    ]);
  });

  test.each([
    ["a bad name", [{ name: "clean-up", cron: "* * * * *" }], "does not match"],
    [
      "a name twice",
      [
        { name: "a:b", cron: "* * * * *" },
        { name: "a:b", cron: "1 * * * *" },
      ],
      "registered twice",
    ],
    ["a bad expression", [{ name: "a:b", cron: "every day" }], "is not a cron expression"],
    ["a time that never comes", [{ name: "a:b", cron: "0 0 30 2 *" }], "never comes"],
  ])("%s stops the start", (_, schedules, message) => {
    expect(() => create(schedules.map((schedule) => ({ ...schedule, run: async () => {} })))).toThrow(message);
  });
});
