/** How many jobs may run at once, shared by the consumers of one worker. */
export interface Slots {
  /** Takes all that are free and returns how many. Where none is, calls `onFree` once, as soon as there may be some. */
  take(onFree: () => void): number;
  /** Gives back some that were taken. */
  give(count: number): void;
}

export function createSlots(limit: number): Slots {
  let free = limit;
  const waiting = new Set<() => void>();
  return {
    take(onFree) {
      const taken = free;
      free = 0;
      waiting.delete(onFree);
      if (taken === 0) waiting.add(onFree);
      return taken;
    },
    give(count) {
      if (count <= 0) return;
      free += count;
      // In the order in which they came: the consumer that has waited longest takes first.
      const callbacks = [...waiting];
      waiting.clear();
      for (const onFree of callbacks) onFree();
    },
  };
}
