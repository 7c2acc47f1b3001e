import { AsyncLocalStorage } from "node:async_hooks";

interface FlushOptions {
  readonly everyMs: number;
  /** Whether anything waits to be written. */
  readonly isPending: () => boolean;
  /** Writes what is due. Never rejects. */
  readonly flush: () => Promise<void>;
}

/** Calls `flush` while something waits: never twice at once, and with a rest before each. */
export function createFlushes({ everyMs, isPending, flush }: FlushOptions) {
  // A timer belongs to whatever set it: without this the inspect of one request would show what is written for others.
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
    /** Says that something may wait now. */
    arm,

    /** Calls it without the rest, after the one under way: for whoever has to read what is written. */
    async now(): Promise<void> {
      await flushing;
      await (flushing ?? (closed || !isPending() ? undefined : start()));
    },

    /** Calls no more, once the flush under way has ended. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await flushing;
    },
  };
}
