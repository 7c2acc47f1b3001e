import { second } from "../../core/clock.ts";
import { endsWithin } from "../../core/pace/deadline.ts";
import { families } from "./families.ts";
import { createCounter, type Sample } from "./series.ts";

/** How long a scrape waits for the readiness checks. An app that has no result by then is not ready. */
const readinessMs = 2 * second;

interface Readiness {
  readonly isReady: boolean;
  /** Empty where a process knows no more than that it is not ready. */
  readonly checks: readonly { readonly type: string; readonly name: string; readonly status: "ok" | "failed" }[];
}

const notReady: Readiness = { isReady: false, checks: [] };

const yes = (value: boolean): readonly Sample[] => [{ labels: {}, value: value ? 1 : 0 }];

/** Creates the metrics of a process as a whole: whether it is ready, and whether it trusts its clock. */
export function createStateMetrics() {
  const jumps = createCounter<{ seen: string }>(families.clock_jumps_total.labels);
  // Prometheus sees the first step of a counter only where the zero before it was scraped.
  for (const seen of ["jump", "tick"]) jumps.count({ seen }, 0);
  let isTrusted: () => boolean = () => false;
  let askReady: (() => Promise<Readiness>) | undefined;
  let found: Readiness | undefined;
  return {
    clockJumped: (seen: "jump" | "tick"): void => jumps.count({ seen }),
    watchClock(how: typeof isTrusted): void {
      isTrusted = how;
    },
    watchReadiness(how: () => Promise<Readiness>): void {
      askReady = how;
    },
    async read(): Promise<void> {
      if (askReady === undefined) return;
      found = notReady;
      const asked = askReady()
        .catch(() => notReady)
        .then((readiness) => void (found = readiness));
      if (!(await endsWithin(asked, readinessMs))) found = notReady;
    },
    ready: (): readonly Sample[] => (found === undefined ? [] : yes(found.isReady)),
    checks: (): readonly Sample[] =>
      (found?.checks ?? []).map(({ type, name, status }) => ({
        labels: { type, name },
        value: status === "ok" ? 1 : 0,
      })),
    clockTrusted: (): readonly Sample[] => yes(isTrusted()),
    clockJumps: jumps.samples,
  };
}
