import { type Clock, second } from "../core/clock.ts";
import type { HeldBack } from "../core/clock.trust.ts";
import { settle } from "../core/pace/deadline.ts";
import type { WatchRun, Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";
import { createRunRecord } from "./record.ts";
import type { ScheduleRepository } from "./schedule.repository.ts";
import type { createTickRepository, Tick } from "./tick.repository.ts";

/** Counts the runs by the name of the schedule. */
export interface ScheduleMetrics {
  ended(schedule: string, ok: boolean): void;
}

export interface RunOptions {
  /** Aborted when the scheduler's shutdown budget is spent. */
  readonly shutdown: AbortSignal;
  readonly ticks: ReturnType<typeof createTickRepository>;
  readonly history: Pick<ScheduleRepository, "began" | "ended">;
  /** Who asked for the run; null for one at its time. */
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
 * Runs the schedule for a tick that was claimed: renews the lock, limits the time, releases the lock. Never rejects. Resolves to
 * what the run has held back.
 */
export async function runTick(schedule: Schedule, tick: Tick, options: RunOptions): Promise<HeldBack | undefined> {
  const { shutdown, ticks, history, requestedBy, clock, log, lockMs, timeoutMs, metrics, watch } = options;
  const { name } = schedule;
  const abort = new AbortController();
  const signal = AbortSignal.any([shutdown, abort.signal]);
  const started = clock.now();
  const record = createRunRecord({ history, name, requestedBy, clock, log });
  let failure: string | undefined;
  let heldBack: HeldBack | undefined;

  async function keepLock(): Promise<void> {
    try {
      if (!(await ticks.extend(tick, clock.now() + lockMs))) abort.abort(new Error("the lock was lost"));
    } catch (error) {
      log.warn("schedule lock could not be extended", { schedule: name, error });
    }
  }

  /** Resolves with whether it went well. */
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
  try {
    await ticks.release(tick);
  } catch (error) {
    log.warn("schedule lock could not be released, it will run out", { schedule: name, error });
  }
  return heldBack;
}
