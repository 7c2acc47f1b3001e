import { type Clock, hour, type Millis, second } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { createPause } from "../core/pace/pause.ts";
import { endsWithin } from "../core/pace/deadline.ts";
import type { WatchRun, Schedule } from "../core/module.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { checkNames, nextTick } from "./cron.ts";
import { runTick, type ScheduleMetrics } from "./run.ts";
import { createScheduleRepository, type RunRequest } from "./schedule.repository.ts";
import { createTickRepository, type Tick } from "./tick.repository.ts";

export { createTickRepository } from "./tick.repository.ts";
export { createScheduleBoard, type ScheduleBoard, type ScheduleState } from "./board.ts";

export interface SchedulerOptions {
  readonly database: Database;
  readonly schedules: readonly Schedule[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process in the lock. Each process has its own name. */
  readonly instance?: string;
  /** How long the lock of a killed scheduler outlives it. */
  readonly lockMs?: number;
  readonly runTimeoutMs?: number;
  /**
   * The longest sleep. A run that somebody asked for begins after it at the latest, and a clock that was set, or a host that was suspended,
   * is noticed.
   */
  readonly pollMs?: number;
  /** Milliseconds of a clock that nobody can set. */
  readonly monotonic?: (() => Millis) | undefined;
  readonly metrics?: ScheduleMetrics;
  readonly watch?: WatchRun | undefined;
}

export type Scheduler = ReturnType<typeof createScheduler>;

interface Entry {
  readonly schedule: Schedule;
  tickAt: Millis;
  /** When to claim the tick: at its own time, or later when a lock or a failing database was in the way. */
  askAt: Millis;
  /** When to run the schedule once more, in monotonic time, because the last run held back what it deletes by age. */
  againAt: Millis | undefined;
  running: Promise<void> | undefined;
}

const retryMs = 5 * second;
const handBackMs = 3 * second;

/**
 * Runs each tick of each schedule once among all processes on the database. A schedule never overlaps itself: a tick that falls into a run
 * waits for its end, and only one of several such ticks is run. Ticks that passed while no scheduler was up are not made up for.
 */
export function createScheduler(options: SchedulerOptions) {
  const { database, schedules, clock, monotonic = () => performance.now(), log, metrics, watch } = options;
  const { instance = newId(), lockMs = 30 * second, runTimeoutMs = hour, pollMs = 2 * second } = options;
  checkNames(schedules);

  const ticks = createTickRepository(database);
  const rows = createScheduleRepository(database);
  const shutdown = new AbortController();
  const pause = createPause();
  let entries: readonly Entry[] = [];
  let loop: Promise<void> | undefined;
  let registered = false;
  let askingWorks = true;

  const moveOn = (entry: Entry): void => {
    entry.tickAt = nextTick(entry.schedule, clock.now());
    entry.askAt = entry.tickAt;
  };

  /** Claims the tick together with the statements beside it, or does nothing. Returns whether it did. */
  async function claim(tick: Tick, ...beside: readonly Statement[]): Promise<boolean> {
    const now = clock.now();
    return (await database.batch([...beside, ticks.claim(tick, now + lockMs, now)])).applied;
  }

  async function runClaimed(entry: Entry, tick: Tick, requestedBy: string | null): Promise<void> {
    const shared = { shutdown: shutdown.signal, ticks, history: rows, requestedBy, clock, log, metrics, watch };
    const began = monotonic();
    const heldBack = await runTick(entry.schedule, tick, { ...shared, lockMs, timeoutMs: runTimeoutMs });
    entry.againAt = heldBack && began + Math.max(pollMs, heldBack.heldForMs);
  }

  async function take(entry: Entry): Promise<void> {
    const { schedule } = entry;
    const tick = { name: schedule.name, at: entry.tickAt, instance };
    try {
      if (!(await claim(tick))) {
        const row = await ticks.find(schedule.name);
        // Another scheduler took this tick; or the run of an earlier tick still holds the lock, and this one waits for it.
        if (row === undefined || row.lastTickAt >= tick.at) moveOn(entry);
        else entry.askAt = Math.max(row.lockedUntil, clock.now() + Math.min(second, pollMs));
        return;
      }
    } catch (error) {
      log.error("schedule could not be claimed", { schedule: schedule.name, error });
      entry.askAt = clock.now() + retryMs;
      return;
    }
    const started = clock.now();
    await runClaimed(entry, tick, null);
    // The first tick that fell into the run is run late, and further ones are skipped. Where the clock was set back meanwhile, the next
    // tick is counted from the new time.
    entry.tickAt = nextTick(schedule, Math.min(Math.max(tick.at, started), clock.now()));
    entry.askAt = entry.tickAt;
  }

  /** Runs a schedule as a tick of its own. While another run holds the lock, nothing happens, and a request waits. */
  async function takeNow(entry: Entry, requestedBy: string | null, ...beside: readonly Statement[]): Promise<void> {
    const { name } = entry.schedule;
    let tick: Tick;
    try {
      tick = { name, at: await ticks.after(name, clock.now()), instance };
      if (!(await claim(tick, ...beside))) return;
    } catch (error) {
      log.error("schedule could not be claimed", { schedule: name, error });
      return;
    }
    await runClaimed(entry, tick, requestedBy);
  }

  /** Runs a schedule that held something back once more, as a tick of its own. */
  async function takeAgain(entry: Entry): Promise<void> {
    entry.againAt = undefined;
    await takeNow(entry, null);
  }

  /** Tells other processes once which schedules there are to ask for. Resolves to the runs that somebody asked for. */
  async function findRequests(): Promise<readonly RunRequest[]> {
    if (schedules.length === 0) return [];
    try {
      if (!registered) await rows.register(schedules);
      registered = true;
      const requests = await rows.requests();
      askingWorks = true;
      return requests;
    } catch (error) {
      if (askingWorks) log.warn("nobody can ask for a run of a schedule: the database can't be used", { error });
      askingWorks = false;
      return [];
    }
  }

  function begin(entry: Entry, work: (entry: Entry) => Promise<void>): void {
    if (entry.running !== undefined || pause.isCancelled()) return;
    entry.running = work(entry).finally(() => {
      entry.running = undefined;
    });
  }

  async function run(): Promise<void> {
    let seen = clock.now();
    while (!pause.isCancelled()) {
      const now = clock.now();
      // After the clock was set back, a next tick that was counted from the old time may be days away.
      if (now < seen) for (const entry of entries) if (entry.running === undefined) moveOn(entry);
      seen = now;
      for (const entry of entries) if (entry.askAt <= now) begin(entry, take);
      for (const entry of entries)
        if (entry.againAt !== undefined && entry.againAt <= monotonic()) begin(entry, takeAgain);
      for (const request of await findRequests()) {
        const entry = entries.find(({ schedule }) => schedule.name === request.name);
        if (entry !== undefined) begin(entry, (asked) => takeNow(asked, request.requestedBy, rows.take(request)));
      }
      const idle = entries.filter((entry) => entry.running === undefined).map((entry) => entry.askAt - now);
      await pause.rest(Math.max(1, Math.min(pollMs, ...idle)));
    }
  }

  return {
    /** Throws on a cron expression that is none, or that never comes. */
    start(): void {
      if (loop !== undefined || pause.isCancelled()) throw new Error("a scheduler starts once");
      const now = clock.now();
      entries = schedules.map((schedule) => {
        const tickAt = nextTick(schedule, now);
        return { schedule, tickAt, askAt: tickAt, againAt: undefined, running: undefined };
      });
      loop = run();
    },

    /** Starts no more runs, lets those under way end until the deadline, then aborts them. */
    async stop(deadlineMs: number): Promise<void> {
      pause.cancel();
      const ended = Promise.all([loop, ...entries.map((entry) => entry.running)]);
      if (await endsWithin(ended, deadlineMs)) return;
      shutdown.abort(new Error("the scheduler was stopped"));
      if (!(await endsWithin(ended, handBackMs))) log.error("schedules did not end, their locks will run out");
    },

    next: () => schedules.map(({ name, cron }) => ({ name, cron, nextRunAt: nextTick({ name, cron }, clock.now()) })),
  };
}
