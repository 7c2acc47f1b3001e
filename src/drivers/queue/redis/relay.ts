import type { DueJob } from "../dispatcher.ts";
import type { QueueLog } from "../index.ts";

/** A job on its way to the queue that carries it. */
export interface Parcel extends DueJob {
  readonly queue: string;
}

interface RelayOptions {
  readonly send: (parcels: readonly Parcel[]) => Promise<void>;
  readonly log: QueueLog;
}

const mostAtOnce = 500;
/** What is beyond waits in the database alone, where workers find it. */
const mostWaiting = 10_000;

interface Batch {
  readonly parcels: Parcel[];
  readonly left: PromiseWithResolvers<void>;
}
const emptyBatch = (): Batch => ({ parcels: [], left: Promise.withResolvers() });

/** Hands jobs over in the background, one batch after another: what comes while one is under way goes with the next. */
export function createRelay({ send, log }: RelayOptions) {
  let next = emptyBatch();
  let underWay: Promise<void> | undefined;
  let isDown = false;

  async function sendBatch(parcels: readonly Parcel[]): Promise<void> {
    try {
      for (let from = 0; from < parcels.length; from += mostAtOnce) await send(parcels.slice(from, from + mostAtOnce));
      if (isDown) log.info("jobs are handed to Redis again");
      isDown = false;
    } catch (error) {
      if (!isDown) log.error("jobs can't be handed to Redis, they wait in the database", { error });
      isDown = true;
    }
  }

  async function sendAll(): Promise<void> {
    while (next.parcels.length > 0) {
      const batch = next;
      next = emptyBatch();
      await sendBatch(batch.parcels);
      batch.left.resolve();
    }
    underWay = undefined;
  }

  return {
    /** Resolves once these have left, or could not. Never rejects. */
    hand(parcels: readonly Parcel[]): Promise<void> {
      if (parcels.length === 0) return Promise.resolve();
      const { left } = next;
      next.parcels.push(...parcels.slice(0, mostWaiting - next.parcels.length));
      underWay ??= sendAll();
      return left.promise;
    },
    /** Resolves when nothing is under way. */
    settled: (): Promise<void> => underWay ?? Promise.resolve(),
  };
}
