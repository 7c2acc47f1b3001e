import { type Clock, second } from "../core/clock.ts";
import type { HeldBack } from "../core/clock.trust.ts";
import { newId } from "../core/ids.ts";
import { settle } from "../core/pace/deadline.ts";
import type { WatchRun, Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";
import type { ScheduleRepository } from "./schedule.repository.ts";
import type { createTickRepository, Tick } from "./tick.repository.ts";

/** Counts runs by the name of the schedule. */
export interface ScheduleMetrics {
  ended(schedule: string, ok: boolean): void;
}

export interface RunOptions {
  /** Aborted when the scheduler's shutdown budget is spent. */
  readonly shutdown: AbortSignal;
  readonly ticks: ReturnType<typeof createTickRepository>;
  readonly history: Pick<ScheduleRepository, "began" | "ended">;
  /** The id of the user who asked for the run; null for a run at its time. */
  readonly requestedBy: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly lockMs: number;
  readonly timeoutMs: number;
  readonly metrics: ScheduleMetrics | undefined;
  readonly watch?: WatchRun | undefined;
}

/** How long an aborted run may take to come to an end. */
const graceMs = second;

/**
 * Runs the schedule for a tick that was claimed: renews the lock, limits the time, releases the lock. Never rejects. Resolves to what the
 * run has held back.
 */
export async function runTick(schedule: Schedule, tick: Tick, options: RunOptions): Promise<HeldBack | undefined> {
  const { shutdown, ticks, clock, log, lockMs, timeoutMs, metrics, watch } = options;
  const { name } = schedule;
  const abort = new AbortController();
  const signal = AbortSignal.any([shutdown, abort.signal]);
  const started = clock.now();
  const record = createRunRecord(name, options);
  let failure: string | undefined;
  let heldBack: HeldBack | undefined;

  async function keepLock(): Promise<void> {
    try {
      if (!(await ticks.extend(tick, clock.now() + lockMs))) abort.abort(new Error("the lock was lost"));
    } catch (error) {
      log.warn("schedule lock could not be extended", { schedule: name, error });
    }
  }

  /** Resolves to whether the run went well. */
  async function run(): Promise<boolean> {
    try {
      heldBack = (await settle(schedule.run(signal), signal, graceMs)) ?? undefined;
      metrics?.ended(name, true);
      const fields = { schedule: name, duration_ms: clock.now() - started };
      if (heldBack === undefined) log.info("schedule done", fields);
      else log.info("schedule held back: the clock can't be trusted yet", fields);
      return true;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      metrics?.ended(name, false);
      log.error("schedule failed", { schedule: name, duration_ms: clock.now() - started, error });
      return false;
    }
  }

  const overdue = new Error(`the run took longer than ${timeoutMs} ms`);
  const timeout = setTimeout(() => abort.abort(overdue), timeoutMs);
  const lock = setInterval(() => void keepLock(), Math.max(1, Math.floor(lockMs / 3)));
  await record.begin();
  try {
    await (watch === undefined ? run() : watch(name, run));
  } finally {
    clearTimeout(timeout);
    clearInterval(lock);
  }
  await record.end(failure);
  await ticks.release(tick).catch((error: unknown) => {
    log.warn("schedule lock could not be released, it will run out", { schedule: name, error });
  });
  return heldBack;
}

const longestError = 500;

/** Records one run for people to look at. Never rejects: a record that can't be written is no reason not to run. */
function createRunRecord(name: string, { history, requestedBy, clock, log }: RunOptions) {
  const id = newId();

  const write = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      log.warn("a run of a schedule could not be recorded", { schedule: name, error });
    });

  return {
    begin: () => write(history.began({ id, name, startedAt: clock.now(), requestedBy })),
    /** Records the end. A run without an error went well. */
    end: (error: string | undefined) =>
      write(history.ended(id, { endedAt: clock.now(), error: error?.slice(0, longestError) ?? null })),
  };
}
