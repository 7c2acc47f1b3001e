import { createWaitingTree, type Path } from "./waiting.tree.ts";

/** Whose turn it is. */
export interface Place {
  /** The groups that a stranger takes turns with, the largest first. */
  readonly path: Path;
  /** For whom something was proven, if anything was. */
  readonly provenFor?: string | undefined;
}

interface FairTurnsOptions {
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

type Side = "proven" | "strangers";
const other = { proven: "strangers", strangers: "proven" } as const;

/**
 * At most so many at once, and at most so many waiting. Those who have proven something and strangers have a half of the places each; what
 * one half does not need the other one has, until it is needed. Among strangers turns go by groups within groups, and where there is no
 * room the newest of the largest group is refused: a group that sends many waits for itself. Among the proven everybody has one place at
 * a time; whoever comes again meanwhile takes turns with strangers.
 */
export function createFairTurns({ running: places, waiting: room, refusal }: FairTurnsOptions) {
  const waiting = { proven: createWaitingTree<Waiter>(), strangers: createWaitingTree<Waiter>() };
  const running = { proven: 0, strangers: 0 };
  /** For whom one runs or waits among the proven. */
  const served = new Set<string>();
  let last: Side = "strangers";

  const runningCount = (): number => running.proven + running.strangers;
  const waitingCount = (): number => waiting.proven.count() + waiting.strangers.count();

  const sideOf = ({ provenFor }: Place): Side =>
    provenFor === undefined || served.has(provenFor) ? "strangers" : "proven";
  const pathOf = (side: Side, { path, provenFor = "" }: Place): Path => (side === "proven" ? [provenFor] : path);

  /** The side with more of them loses one where there is no room. Where they are even it is that of strangers. */
  const crowdedSide = (proven: number, strangers: number): Side => (proven > strangers ? "proven" : "strangers");

  function begin(side: Side): void {
    running[side] += 1;
    last = side;
  }

  /** The side of which fewer run; where as many run, the one that did not go last. */
  function nextSide(): Side {
    const preferred =
      running.proven === running.strangers ? other[last] : running.proven < running.strangers ? "proven" : "strangers";
    return waiting[preferred].count() > 0 ? preferred : other[preferred];
  }

  const placeOn = (side: Side, path: Path): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting[side].add(path, { begin: resolve, refuse: () => reject(refusal()) });
      if (waitingCount() <= room) return;
      const crowded = crowdedSide(waiting.proven.count(), waiting.strangers.count());
      waiting[crowded].takeNewestOfLargest(crowded === side ? path : [])?.refuse();
    });

  async function runOn<T>(side: Side, path: Path, work: () => Promise<T>): Promise<T> {
    if (runningCount() < places) begin(side);
    else await placeOn(side, path);
    try {
      return await work();
    } finally {
      running[side] -= 1;
      // The place is handed on, not given back: whoever comes in this moment can't overtake the one that waits.
      const next = nextSide();
      const waiter = waiting[next].takeNext();
      if (waiter !== undefined) begin(next);
      waiter?.begin();
    }
  }

  return {
    async run<T>(work: () => Promise<T>, place: Place): Promise<T> {
      const side = sideOf(place);
      const path = pathOf(side, place);
      const [name] = path;
      if (side === "strangers" || name === undefined) return runOn(side, path, work);
      served.add(name);
      try {
        return await runOn(side, path, work);
      } finally {
        served.delete(name);
      }
    },

    /** Whether one more of that place would run or wait now, and not be refused. */
    hasRoom(place: Place): boolean {
      if (runningCount() < places || waitingCount() < room) return true;
      const side = sideOf(place);
      const [proven, strangers] = [waiting.proven.count(), waiting.strangers.count()];
      const crowded = side === "proven" ? crowdedSide(proven + 1, strangers) : crowdedSide(proven, strangers + 1);
      return crowded !== side || waiting[side].isSmall(pathOf(side, place));
    },
  };
}
