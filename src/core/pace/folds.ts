import type { Clock, Millis } from "../clock.ts";

interface Fold<Value> {
  readonly value: Value;
  /** How many were counted and not taken yet. */
  count: number;
  dueAt: Millis;
}

/** So many alike, for one row. */
export interface Folded<Value> {
  readonly key: string;
  readonly value: Value;
  readonly count: number;
}

interface FoldOptions {
  readonly everyMs: number;
  readonly most: number;
  readonly clock: Clock;
}

/**
 * Counts what is alike, so that a flood becomes one row in a while: the first of a kind is due at once, those that follow when
 * `everyMs` has passed.
 */
export function createFolds<Value>({ everyMs, most, clock }: FoldOptions) {
  const folds = new Map<string, Fold<Value>>();
  return {
    /** Counts one. The first of its kind stands for all. False where no more kinds can be told apart, unless it is for the rest. */
    add(key: string, value: Value, isRest = false): boolean {
      const known = folds.get(key);
      if (known !== undefined) known.count += 1;
      else if (folds.size < most || isRest) folds.set(key, { value, count: 1, dueAt: clock.now() });
      else return false;
      return true;
    },

    /** Takes what is due, or everything. A kind that has not come again meanwhile is forgotten. */
    take(all: boolean): readonly Folded<Value>[] {
      const now = clock.now();
      const taken: Folded<Value>[] = [];
      for (const [key, fold] of folds) {
        if (!all && fold.dueAt > now) continue;
        if (fold.count === 0) {
          folds.delete(key);
          continue;
        }
        taken.push({ key, value: fold.value, count: fold.count });
        fold.count = 0;
        fold.dueAt = now + everyMs;
      }
      return taken;
    },

    /** Counts again what could not be written. */
    putBack(taken: readonly Folded<Value>[]): void {
      for (const { key, count } of taken) {
        const fold = folds.get(key);
        if (fold !== undefined) fold.count += count;
      }
    },

    isPending: (): boolean => folds.values().some(({ count }) => count > 0),
  };
}
