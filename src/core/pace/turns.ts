interface TurnsOptions {
  /** How many run at once. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** What the one that finds no room is rejected with. */
  readonly refusal: () => Error;
}

interface Waiter {
  readonly begin: () => void;
  readonly refuse: () => void;
}

export type Turns = ReturnType<typeof createTurns>;

/** The group of all those that name none. */
const everyone = "";

/**
 * At most so many at once, and at most so many waiting for a place. Places go to one group of waiters after the other and
 * within a group in the order of arrival; where there is no room, the newest of the largest group is refused. A group that
 * sends many thereby waits for itself, and those of another are hardly held up. Without groups the first that came is the
 * first to run, and one that finds no room is refused.
 */
export function createTurns({ running: places, waiting: room, refusal }: TurnsOptions) {
  const waiting = createWaiters();
  let running = 0;

  const placeFor = (group: string): Promise<void> =>
    new Promise((begin, reject) => {
      waiting.add(group, { begin, refuse: () => reject(refusal()) });
      if (waiting.count() > room) waiting.takeNewestOfLargest(group)?.refuse();
    });

  return {
    async run<T>(work: () => Promise<T>, group = everyone): Promise<T> {
      if (running < places) running += 1;
      else await placeFor(group);
      try {
        return await work();
      } finally {
        // The place is handed on, not given back: whoever comes in this moment can't overtake the one that waits.
        const next = waiting.takeNext();
        if (next === undefined) running -= 1;
        else next.begin();
      }
    },

    /** Whether one more of the group would run or wait now, and not be refused. */
    hasRoom: (group = everyone): boolean => running < places || waiting.count() < room || waiting.isSmall(group),

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

function createWaiters() {
  // In the order in which their turns come; none is empty.
  const groups = new Map<string, Waiter[]>();
  let count = 0;

  function take(group: string, waiter: Waiter | undefined): Waiter | undefined {
    if (waiter !== undefined) count -= 1;
    if (groups.get(group)?.length === 0) groups.delete(group);
    return waiter;
  }

  return {
    count: (): number => count,

    add(group: string, waiter: Waiter): void {
      const members = groups.get(group);
      if (members === undefined) groups.set(group, [waiter]);
      else members.push(waiter);
      count += 1;
    },

    takeNext(): Waiter | undefined {
      const [next] = groups;
      if (next === undefined) return undefined;
      const [group, members] = next;
      // To the end: the other groups come first.
      groups.delete(group);
      groups.set(group, members);
      return take(group, members.shift());
    },

    /** With one more it would not be among the largest groups. */
    isSmall(group: string): boolean {
      const size = (groups.get(group)?.length ?? 0) + 1;
      return groups.values().some((members) => members.length > size);
    },

    /** Of groups that are equally large the preferred one. */
    takeNewestOfLargest(preferred: string): Waiter | undefined {
      let largest = preferred;
      const sizeOf = (group: string): number => groups.get(group)?.length ?? 0;
      for (const group of groups.keys()) if (sizeOf(group) > sizeOf(largest)) largest = group;
      return take(largest, groups.get(largest)?.pop());
    },
  };
}
