import { hour, type Clock } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Schedule } from "../core/module.ts";
import { inSteps } from "../core/pace/steps.ts";
import type { CountRepository } from "./count.repository.ts";
import type { HealthRepository, HealthSample } from "./health.repository.ts";
import type { PeopleRepository } from "./people.repository.ts";

interface CollectOptions {
  readonly counts: CountRepository;
  readonly health: HealthRepository;
  readonly people: Pick<PeopleRepository, "forget">;
  readonly sample: () => Promise<HealthSample>;
  readonly keptMs: number;
  readonly clock: Clock;
  readonly ages: AgeClock;
}

/** Rows that one step counts: even when read from the disk, they hold up the event loop for only about ten milliseconds. */
const rowsAStep = 2_000;
const pauseMs = 2;
/** Bounds a run at fifty million rows of the log. The next run counts the rest. */
const mostSteps = 25_000;

/**
 * The schedule `figures:collect`: every five minutes, samples the health of the app, counts rows of the audit log from before the triggers
 * counted them, puts the slots of hours that are over together, and forgets what is older than any chart.
 */
export function createCollect({ counts, health, people, sample, keptMs, clock, ages }: CollectOptions): Schedule {
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
        await inSteps((limit) => counts.unite(trusted - (trusted % hour), limit), signal);
        await inSteps((limit) => counts.forget(trusted - keptMs, limit), signal);
        await inSteps((limit) => health.forget(trusted - keptMs, limit), signal);
        await inSteps((limit) => people.forget(trusted - keptMs, limit), signal);
      });
    },
  };
}
