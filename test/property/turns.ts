/**
 * Runs tasks on one thread so that only one moves at a time, from one call of `turn` to its next: the order in which they
 * move is an interleaving. `choose` picks who moves; the same choices give the same interleaving.
 */
export function createTurns(choose: (waiting: number) => number) {
  const waiting: (() => void)[] = [];
  /** Tasks that are not finished; all of them wait whenever a choice is made. */
  let running = 0;

  function move(): void {
    if (running === 0 || waiting.length < running) return;
    const [next] = waiting.splice(choose(waiting.length), 1);
    next?.();
  }

  return {
    /** Where another task may come in between. Passes at once while no tasks run. */
    turn(): Promise<void> {
      if (running === 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        move();
      });
    },

    /** Resolves when all are done. A task may start more of them, and waits itself meanwhile. */
    async together(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
      const nested = running > 0;
      let unfinished = tasks.length;
      running += tasks.length - (nested ? 1 : 0);
      await Promise.all(
        tasks.map(async (task) => {
          try {
            await task();
          } finally {
            unfinished -= 1;
            // The last one hands its place back to the task that started it.
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

/** Every interleaving of `run`, by trying each choice at each place in turn. Returns how many there are, at most `limit`. */
export async function everyInterleaving(
  limit: number,
  run: (choose: (waiting: number) => number, choices: readonly number[]) => Promise<void>,
): Promise<number> {
  let plan: { taken: number; of: number }[] = [];
  for (let count = 1; ; count += 1) {
    let depth = 0;
    const choose = (of: number): number => {
      const place = (plan[depth] ??= { taken: 0, of });
      depth += 1;
      return place.taken;
    };
    await run(
      choose,
      plan.map(({ taken }) => taken),
    );
    while (plan.length > 0 && (plan.at(-1)?.taken ?? 0) + 1 >= (plan.at(-1)?.of ?? 0)) plan.pop();
    const last = plan.at(-1);
    if (last === undefined || count >= limit) return count;
    plan = [...plan.slice(0, -1), { taken: last.taken + 1, of: last.of }];
  }
}

/** A small, fast generator (mulberry32): a seed is an interleaving. */
export function seededChoice(seed: number): (of: number) => number {
  let state = seed | 0;
  return (of) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * of);
  };
}
