import { AsyncLocalStorage } from "node:async_hooks";

interface FlushOptions {
  readonly everyMs: number;
  /** Whether anything waits to be written. */
  readonly isPending: () => boolean;
  /** Writes everything that is due. Never rejects. */
  readonly flush: () => Promise<void>;
}

/** Calls `flush` while something waits: never twice at once, and after a rest each time. */
export function createFlushes({ everyMs, isPending, flush }: FlushOptions) {
  // A timer keeps the async context of its caller: without the snapshot the inspect of one request would show writes for others.
  const apart = AsyncLocalStorage.snapshot();
  let timer: Timer | undefined;
  let flushing: Promise<void> | undefined;
  let closed = false;

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = apart(flush).finally(() => {
      flushing = undefined;
      arm();
    });
    return flushing;
  }
  function arm(): void {
    if (closed || timer !== undefined || flushing !== undefined || !isPending()) return;
    timer = setTimeout(() => void start(), everyMs);
  }

  return {
    /** Reports that something may wait now. */
    arm,

    /** Flushes without a rest, after the flush under way: for callers that must read what is written. */
    async now(): Promise<void> {
      await flushing;
      await (flushing ?? (closed || !isPending() ? undefined : start()));
    },

    /** Stops flushing, once the flush under way has ended. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await flushing;
    },
  };
}
