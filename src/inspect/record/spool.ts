import { minute } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";
import type { InspectRow } from "./inspect.repository.ts";
import type { InspectStore } from "./store.ts";

/** Why an inspect was not kept. */
export type DropReason = "busy" | "unwritable";

/** What counts inspects; the application's metrics fit. */
export interface InspectMeter {
  recorded(by: number): void;
  dropped(reason: DropReason, by: number): void;
}

interface SpoolOptions {
  readonly store: Pick<InspectStore, "add">;
  readonly meter: InspectMeter;
  readonly log: Log;
}

export interface Unwritten {
  readonly failed: boolean;
  /** Made when its turn to be written has come: what is dropped costs no more than it has cost already. */
  readonly toRow: () => InspectRow;
}

const flushEveryMs = 50;
/** One turn: a millisecond or two of the event loop. */
const rowsPerFlush = 32;
const mostFine = 64;
const mostWaiting = 512;

/**
 * Writes inspects behind the answers. What comes faster than it can be written within a small share of the process's time is
 * dropped and counted: what went well first, so that a flood of successes does not cost the one failure.
 */
export function createSpool({ store, meter, log }: SpoolOptions) {
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
      meter.recorded(some.length);
    } catch (error) {
      meter.dropped("unwritable", some.length);
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

  /** Whether one that ended so would be kept: who asks first spares itself the work. */
  const hasRoom = (failed: boolean): boolean => !closed && (failed ? waiting.length < mostWaiting : fine < mostFine);

  return {
    hasRoom,

    /** Waits for nothing. */
    add(inspect: Unwritten): void {
      if (!hasRoom(inspect.failed)) return meter.dropped("busy", 1);
      waiting.push(inspect);
      if (!inspect.failed) fine += 1;
      arm();
    },

    /** Counts one that its maker gave up for lack of room. */
    drop: (): void => meter.dropped("busy", 1),

    /** Writes what is waiting. */
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
