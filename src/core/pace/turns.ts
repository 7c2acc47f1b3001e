export interface TurnsOptions {
  /** How many run at once. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** Makes the error of a caller that finds no room. */
  readonly refusal: () => Error;
}

export type Turns = ReturnType<typeof createTurns>;

/** Runs work in the order of arrival and bounds how much runs at once and how much waits. Work that finds no room is refused. */
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
        // The place is handed on, not given back, so that a newcomer can't overtake a waiter.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },

    /** Whether nothing runs; then nothing waits either. */
    isIdle: (): boolean => running === 0,
  };
}

/** Keeps separate turns for every key, of whatever kind. Idle ones are forgotten. */
export function createByKey<Kind extends Pick<Turns, "isIdle">>(make: () => Kind) {
  const byKey = new Map<string, Kind>();
  return async function atKey<T>(key: string, work: (turns: Kind) => Promise<T>): Promise<T> {
    const turns = byKey.get(key) ?? make();
    byKey.set(key, turns);
    try {
      return await work(turns);
    } finally {
      if (turns.isIdle()) byKey.delete(key);
    }
  };
}

export function createTurnsByKey(options: TurnsOptions) {
  const atKey = createByKey(() => createTurns(options));
  return { run: <T>(key: string, work: () => Promise<T>): Promise<T> => atKey(key, (turns) => turns.run(work)) };
}
