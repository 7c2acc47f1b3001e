interface TurnsOptions {
  /** How many run at once. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** What the one that finds no room is rejected with. */
  readonly refusal: () => Error;
}

export type Turns = ReturnType<typeof createTurns>;

/** At most so many at once, in the order of arrival, and at most so many waiting: one that finds no room is refused. */
export function createTurns({ running: places, waiting: room, refusal }: TurnsOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;

  const place = (): Promise<void> =>
    new Promise((begin, reject) => {
      if (waiting.length < room) waiting.push(begin);
      else reject(refusal());
    });

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < places) running += 1;
      else await place();
      try {
        return await work();
      } finally {
        // The place is handed on, not given back: whoever comes in this moment can't overtake the one that waits.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },

    /** Nobody runs, so that nobody waits either. */
    isIdle: (): boolean => running === 0,
  };
}

/** Turns of their own for every key. What is idle is forgotten, so that there are as many as there is work for. */
export function createTurnsByKey(options: TurnsOptions) {
  const byKey = new Map<string, Turns>();
  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turns = byKey.get(key) ?? createTurns(options);
      byKey.set(key, turns);
      try {
        return await turns.run(work);
      } finally {
        if (turns.isIdle()) byKey.delete(key);
      }
    },
  };
}
