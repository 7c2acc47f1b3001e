export type Slots = ReturnType<typeof createSlots>;

/** Counts how many jobs may run at once. The consumers of one worker share the slots. */
export function createSlots(limit: number) {
  let free = limit;
  const waiting = new Set<() => void>();
  return {
    /** Takes all free slots and returns how many. Where none is free, calls `onFree` once, as soon as some may be. */
    take(onFree: () => void): number {
      const taken = free;
      free = 0;
      waiting.delete(onFree);
      if (taken === 0) waiting.add(onFree);
      return taken;
    },
    give(count: number): void {
      if (count <= 0) return;
      free += count;
      // The consumer that has waited longest takes first.
      const callbacks = [...waiting];
      waiting.clear();
      for (const onFree of callbacks) onFree();
    },
  };
}
