import { second } from "../../core/clock.ts";
import { endsWithin } from "../../core/pace/deadline.ts";
import { families } from "./families.ts";
import { createCounter, type Sample } from "./series.ts";

/** How long a scrape waits for the readiness checks. An app that has no result by then is not ready. */
const readinessMs = 2 * second;

const yes = (value: boolean): readonly Sample[] => [{ labels: {}, value: value ? 1 : 0 }];

/** Creates the metrics of a process as a whole: whether it is ready, and whether it trusts its clock. */
export function createStateMetrics() {
  const jumps = createCounter<{ seen: string }>(families.clock_jumps_total.labels);
  // Prometheus sees the first step of a counter only where the zero before it was scraped.
  for (const seen of ["jump", "tick"]) jumps.count({ seen }, 0);
  let isTrusted: () => boolean = () => false;
  let askReady: (() => Promise<boolean>) | undefined;
  let isReady: boolean | undefined;
  return {
    clockJumped: (seen: "jump" | "tick"): void => jumps.count({ seen }),
    watchClock(how: typeof isTrusted): void {
      isTrusted = how;
    },
    watchReadiness(how: () => Promise<boolean>): void {
      askReady = how;
    },
    async read(): Promise<void> {
      if (askReady === undefined) return;
      isReady = false;
      const asked = askReady()
        .catch(() => false)
        .then((ready) => void (isReady = ready));
      if (!(await endsWithin(asked, readinessMs))) isReady = false;
    },
    ready: (): readonly Sample[] => (isReady === undefined ? [] : yes(isReady)),
    clockTrusted: (): readonly Sample[] => yes(isTrusted()),
    clockJumps: jumps.samples,
  };
}
