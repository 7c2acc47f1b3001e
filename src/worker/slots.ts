/** How many jobs may run at once, shared by the consumers of one worker. */
export interface Slots {
  /** Takes all free slots and returns how many. Where none is free, calls `onFree` once, as soon as some may be. */
  take(onFree: () => void): number;
  /** Gives back slots that were taken. */
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
      // The consumer that has waited longest takes first.
      const callbacks = [...waiting];
      waiting.clear();
      for (const onFree of callbacks) onFree();
    },
  };
}
