import { readdir, readFile } from "node:fs/promises";
import { families } from "./metrics.families.ts";
import { createDurations, type Sample } from "./metrics.series.ts";

export interface ProcessFigures {
  readonly cpuUserSeconds: number;
  readonly cpuSystemSeconds: number;
  readonly residentBytes: number;
  readonly startedAtSeconds: number;
  /** Undefined on a system without /proc. */
  readonly openFds: number | undefined;
  readonly maxFds: number | undefined;
  readonly heapUsedBytes: number;
}

const lagIntervalMs = 200;

async function maxFds(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const limit = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return limit === undefined ? undefined : Number(limit);
}

export async function readProcess(): Promise<ProcessFigures> {
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage();
  // The folder itself is open while it is read, so it is left out of the count.
  const fds = await readdir("/proc/self/fd").then(
    (open) => open.length - 1,
    () => undefined,
  );
  return {
    cpuUserSeconds: cpu.user / 1e6,
    cpuSystemSeconds: cpu.system / 1e6,
    residentBytes: memory.rss,
    startedAtSeconds: Math.round(performance.timeOrigin / 1000),
    openFds: fds,
    maxFds: await maxFds(),
    heapUsedBytes: memory.heapUsed,
  };
}

/**
 * Measures how late timers fire: every request waits that long besides its own work. The timer of the measurement keeps no process alive.
 */
export function createEventLoopLag() {
  const durations = createDurations(families.runtime_event_loop_lag_seconds.bounds);
  let timer: Timer | undefined;
  return {
    start(): void {
      if (timer !== undefined) return;
      let due = performance.now() + lagIntervalMs;
      timer = setInterval(() => {
        const now = performance.now();
        durations.observe(Math.max(0, now - due) / 1000);
        due = now + lagIntervalMs;
      }, lagIntervalMs);
      timer.unref();
    },
    stop: (): void => clearInterval(timer),
    samples: (): readonly Sample[] => durations.samples({}),
  };
}
