import { readdir, readFile } from "node:fs/promises";
import { families } from "./families.ts";
import { createDurations, type Sample } from "./series.ts";

interface ProcessFigures {
  readonly cpuUserSeconds: number;
  readonly cpuSystemSeconds: number;
  readonly residentBytes: number;
  readonly startedAtSeconds: number;
  /** Undefined where there is no /proc. */
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

async function readProcess(): Promise<ProcessFigures> {
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage();
  // The folder itself is open while it is read, and is not counted.
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

const plain = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: {}, value }]);

/** The figures of the process as they were last read. */
export function createProcessFigures() {
  let figures: ProcessFigures | undefined;
  return {
    async read(): Promise<void> {
      figures = await readProcess();
    },
    samples: {
      process_cpu_user_seconds_total: () => plain(figures?.cpuUserSeconds),
      process_cpu_system_seconds_total: () => plain(figures?.cpuSystemSeconds),
      process_resident_memory_bytes: () => plain(figures?.residentBytes),
      process_start_time_seconds: () => plain(figures?.startedAtSeconds),
      process_open_fds: () => plain(figures?.openFds),
      process_max_fds: () => plain(figures?.maxFds),
      runtime_heap_used_bytes: () => plain(figures?.heapUsedBytes),
    },
  };
}

/** How late timers come, which is what every request waits besides its own work. Its timer keeps no process alive. */
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
