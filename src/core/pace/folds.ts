import type { Clock, Millis } from "../clock.ts";

export type Folds<Value> = ReturnType<typeof createFolds<Value>>;

interface Fold<Value> {
  readonly value: Value;
  /** How many were counted and not yet taken. */
  count: number;
  dueAt: Millis;
}

/** A number of similar things, for one row. */
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

/** Counts similar things, so that a flood becomes one row now and then: the first of a kind is due at once, later ones after `everyMs`. */
export function createFolds<Value>({ everyMs, most, clock }: FoldOptions) {
  const folds = new Map<string, Fold<Value>>();
  return {
    /**
     * Counts one. The first value of a kind stands for all. Returns false if no further kind can be told apart; `isRest` counts regardless.
     */
    add(key: string, value: Value, isRest = false): boolean {
      const known = folds.get(key);
      if (known !== undefined) known.count += 1;
      else if (folds.size < most || isRest) folds.set(key, { value, count: 1, dueAt: clock.now() });
      else return false;
      return true;
    },

    /** Takes all that is due, or everything. A kind that was not counted again meanwhile is forgotten. */
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

    /** Adds back counts that could not be written. */
    putBack(taken: readonly Folded<Value>[]): void {
      for (const { key, count } of taken) {
        const fold = folds.get(key);
        if (fold !== undefined) fold.count += count;
      }
    },

    isPending: (): boolean => folds.values().some(({ count }) => count > 0),
  };
}
