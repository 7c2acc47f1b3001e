import { minute } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";
import type { InspectRow } from "./inspect.repository.ts";
import type { InspectStore } from "./store.ts";

/** Why an inspect was not kept. */
export type DropReason = "busy" | "unwritable";

/** Counts inspects, as the metrics of the application do. */
export interface InspectMetrics {
  recorded(by: number): void;
  dropped(reason: DropReason, by: number): void;
}

interface SpoolOptions {
  readonly store: Pick<InspectStore, "add">;
  readonly metrics: InspectMetrics;
  readonly log: Log;
}

export interface Unwritten {
  readonly failed: boolean;
  /** Makes the row when its turn to be written has come, so that an inspect that is dropped costs nothing more. */
  readonly toRow: () => InspectRow;
}

const flushEveryMs = 50;
/** The most rows of one write, which takes a turn of the event loop a millisecond or two. */
const rowsPerFlush = 32;
const mostFine = 64;
const mostWaiting = 512;

/**
 * Writes inspects after the answers. Inspects that come faster than a small share of the process's time can write are dropped and counted.
 * Successful ones are dropped first, so that a flood of successes does not cost the one failure.
 */
export function createSpool({ store, metrics, log }: SpoolOptions) {
  let waiting: Unwritten[] = [];
  let fine = 0;
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function complain(error: unknown): void {
    if (performance.now() - complainedAt < minute) return;
    complainedAt = performance.now();
    log.warn("inspects can't be written: they are dropped until they can", { error });
  }

  async function write(): Promise<void> {
    const some = waiting.splice(0, rowsPerFlush);
    fine -= some.reduce((count, { failed }) => count + (failed ? 0 : 1), 0);
    try {
      await store.add(some.map(({ toRow }) => toRow()));
      metrics.recorded(some.length);
    } catch (error) {
      metrics.dropped("unwritable", some.length);
      complain(error);
    }
  }

  function arm(): void {
    if (closed || timer !== undefined || writing !== undefined || waiting.length === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = write().finally(() => {
        writing = undefined;
        arm();
      });
    }, flushEveryMs);
  }

  /** Whether there is room for an inspect with this outcome. A caller that asks first spares itself the work. */
  const hasRoom = (failed: boolean): boolean => !closed && (failed ? waiting.length < mostWaiting : fine < mostFine);

  return {
    hasRoom,

    add(inspect: Unwritten): void {
      if (!hasRoom(inspect.failed)) return metrics.dropped("busy", 1);
      waiting.push(inspect);
      if (!inspect.failed) fine += 1;
      arm();
    },

    /** Counts an inspect that its maker gave up for lack of room. */
    drop: (): void => metrics.dropped("busy", 1),

    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await writing;
      while (waiting.length > 0) await write();
      waiting = [];
    },
  };
}

export type Spool = ReturnType<typeof createSpool>;
