import { hour, type Clock } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { CountRepository } from "./count.repository.ts";
import type { HealthRepository, HealthSample } from "./health.repository.ts";

interface CollectOptions {
  readonly counts: CountRepository;
  readonly health: HealthRepository;
  /** Looks at the app once. */
  readonly sample: () => Promise<HealthSample>;
  readonly keptMs: number;
  readonly clock: Clock;
  readonly ages: AgeClock;
}

/** Few enough that no request waits long for the event loop: about ten milliseconds, of rows that have to be read from the disk. */
const rowsAStep = 2_000;
const pauseMs = 2;
/** A log of fifty million rows is counted by one run; a longer one by the next. */
const mostSteps = 25_000;

/**
 * `figures:collect`: every five minutes, notes how the app is, counts what the audit log held before it was counted as it is
 * written, and forgets what is older than any chart.
 */
export function createCollect({ counts, health, sample, keptMs, clock, ages }: CollectOptions): Schedule {
  async function countBacklog(signal: AbortSignal): Promise<void> {
    const horizon = clock.now() - keptMs;
    let from = await counts.countedFrom();
    for (let steps = 0; from > horizon && steps < mostSteps && !signal.aborted; steps += 1) {
      from = await counts.countBack(from, horizon, rowsAStep);
      await Bun.sleep(pauseMs);
    }
  }

  return {
    name: "figures:collect",
    cron: "*/5 * * * *",
    async run(signal) {
      const now = clock.now();
      await health.add(now - (now % hour), await sample());
      await countBacklog(signal);
      return byAge(ages, async (trusted) => {
        await inSteps((limit) => counts.forget(trusted - keptMs, limit), signal);
        await inSteps((limit) => health.forget(trusted - keptMs, limit), signal);
      });
    },
  };
}
