/** A rest that can be ended early. An `end` that comes while nobody rests ends the next rest, so that no wake is lost. */
export function createPause() {
  let ended = false;
  let cancelled = false;
  let wake: (() => void) | undefined;
  let cutShort = true;

  async function wait(ms: number): Promise<void> {
    if (cancelled) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = resolve;
    await promise;
    clearTimeout(timer);
    wake = undefined;
  }

  return {
    async rest(ms: number): Promise<void> {
      cutShort = true;
      if (!ended) await wait(ms);
      ended = false;
    },
    /** Rests until the time is over. Only `cancel` ends it early. */
    async full(ms: number): Promise<void> {
      cutShort = false;
      await wait(ms);
    },
    end(): void {
      ended = true;
      if (cutShort) wake?.();
    },
    /** Ends this rest and every later one. */
    cancel(): void {
      cancelled = true;
      wake?.();
    },
    isCancelled: (): boolean => cancelled,
  };
}
