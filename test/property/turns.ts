import { AsyncLocalStorage } from "node:async_hooks";

/** The next move of a task, which comes as soon as the task may move. */
export interface Move {
  /** The place of the task among those that were started together. */
  readonly task: number;
  /** Whether the move changes nothing. Two such moves in a row come to one result in either order. */
  readonly reads: boolean;
}

/**
 * Runs tasks on one thread so that only one moves at a time, from one call of `turn` to its next: the order in which they move is an
 * interleaving. `choose` picks the task that moves. Equal choices give equal interleavings.
 */
export function createTurns(choose: (waiting: readonly Move[]) => number) {
  const waiting: (Move & { readonly go: () => void })[] = [];
  const ownPlace = new AsyncLocalStorage<number>();
  /** How many tasks are not finished. All of them wait whenever a choice is made. */
  let running = 0;

  function move(): void {
    if (running === 0 || waiting.length < running) return;
    const [next] = waiting.splice(choose(waiting), 1);
    next?.go();
  }

  return {
    /** Lets another task come in between. Passes at once while no tasks run. */
    turn(reads = false): Promise<void> {
      if (running === 0) return Promise.resolve();
      return new Promise((go) => {
        waiting.push({ task: ownPlace.getStore() ?? 0, reads, go });
        move();
      });
    },

    /** Runs the tasks, and resolves when all are done. A task may start more of them, and waits itself meanwhile. */
    async together(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
      const nested = running > 0;
      let unfinished = tasks.length;
      running += tasks.length - (nested ? 1 : 0);
      await Promise.all(
        tasks.map(async (task, place) => {
          try {
            await ownPlace.run(place, task);
          } finally {
            unfinished -= 1;
            // The last task hands its place back to the task that started it.
            if (!nested || unfinished > 0) {
              running -= 1;
              move();
            }
          }
        }),
      );
    },
  };
}

/**
 * Plays every interleaving of `run`, by trying each choice at each place in turn. Interleavings that differ only in the order of reads with
 * no write in between have one outcome, and one of them is tried: that in which such reads go from the first task to the last. Returns how
 * many were tried, at most `limit`.
 */
export async function everyInterleaving(
  limit: number,
  run: (choose: (waiting: readonly Move[]) => number, choices: readonly number[]) => Promise<void>,
): Promise<number> {
  let plan: { taken: number; of: number }[] = [];
  for (let count = 1; ; count += 1) {
    let depth = 0;
    let last: Move | undefined;
    const choose = (waiting: readonly Move[]): number => {
      const lowest = last?.reads === true ? last.task : 0;
      const inOrder = waiting.filter(({ task, reads }) => !reads || task >= lowest);
      // Only reads of earlier tasks are left, with no write after them: then any choice is as good.
      const open = inOrder.length > 0 ? inOrder : waiting.slice(0, 1);
      const choice = (plan[depth] ??= { taken: 0, of: open.length });
      depth += 1;
      const [next] = open.slice(choice.taken);
      if (next === undefined) throw new Error("the same choices have led to another interleaving");
      last = next;
      return waiting.indexOf(next);
    };
    await run(
      choose,
      plan.map(({ taken }) => taken),
    );
    while (plan.length > 0 && (plan.at(-1)?.taken ?? 0) + 1 >= (plan.at(-1)?.of ?? 0)) plan.pop();
    const deepest = plan.at(-1);
    if (deepest === undefined || count >= limit) return count;
    plan = [...plan.slice(0, -1), { taken: deepest.taken + 1, of: deepest.of }];
  }
}

/** Returns a small, fast generator (mulberry32), in which a seed is an interleaving. */
export function seededChoice(seed: number): (of: number) => number {
  let state = seed | 0;
  return (of) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * of);
  };
}
