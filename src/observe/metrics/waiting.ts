import { second } from "../../core/clock.ts";
import { endsWithin } from "../../core/pace/deadline.ts";
import type { Sample } from "./series.ts";

/** What waits in a queue. */
export interface Waiting {
  readonly queue: string;
  readonly jobs: number;
  readonly oldestSeconds: number;
}

/** How long a scrape waits for the database. */
const readMs = 2 * second;

/** Creates the metrics of what waits for a worker. Every process of an app reads them, so that they tell of a worker that is down. */
export function createWaitingMetrics() {
  let ask: (() => Promise<readonly Waiting[]>) | undefined;
  let found: readonly Waiting[] = [];
  const samples = (of: "jobs" | "oldestSeconds"): readonly Sample[] =>
    found.map(({ queue, ...figures }) => ({ labels: { queue }, value: figures[of] }));
  return {
    /** Sets the function that reads the queues at each scrape. */
    watch(how: typeof ask): void {
      ask = how;
    },
    /** Reads the queues. A scrape goes without these figures where that fails or takes too long: readiness tells of it. */
    async read(): Promise<void> {
      found = [];
      if (ask === undefined) return;
      let read: readonly Waiting[] = [];
      const asked = ask().then(
        (all) => void (read = all),
        () => undefined,
      );
      if (await endsWithin(asked, readMs)) found = read;
    },
    samples: {
      queue_jobs_waiting: () => samples("jobs"),
      queue_oldest_job_seconds: () => samples("oldestSeconds"),
    },
  };
}
