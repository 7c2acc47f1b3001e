/** A number of jobs at once, shared by the loops of one worker. Who finds none free is told when one is, in turn. */
export interface Slots {
  /** As many as are free, `most` at most. With none `onFree` is called once, when there may be some. */
  take(onFree: () => void): number;
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
      // The one that has waited longest takes first.
      const told = [...waiting];
      waiting.clear();
      for (const onFree of told) onFree();
    },
  };
}
