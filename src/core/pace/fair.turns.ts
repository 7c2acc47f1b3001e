import { createWaitingTree, type Path } from "./waiting.tree.ts";

/** A caller's place in the order of turns. */
export interface Place {
  /** The groups by which strangers take turns, largest first. */
  readonly path: Path;
  /** The identity for which something was proven, if any. */
  readonly provenFor?: string | undefined;
}

interface FairTurnsOptions {
  /** How many run at once. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** Makes the error of a caller that finds no room. */
  readonly refusal: () => Error;
}

interface Waiter {
  readonly begin: () => void;
  readonly refuse: () => void;
}

type Side = "proven" | "strangers";
const other = { proven: "strangers", strangers: "proven" } as const;

/**
 * Bounds how much runs at once and how much waits. Callers who have proven something and strangers get half of the places each; a half that
 * is not needed is lent to the other side. Strangers take turns by groups within groups. Where there is no room, the newest of the largest
 * group is refused, so that a group that sends many requests waits for itself. A proven identity has one place at a time among the proven;
 * further calls meanwhile take turns with strangers.
 */
export function createFairTurns({ running: places, waiting: room, refusal }: FairTurnsOptions) {
  const waiting = { proven: createWaitingTree<Waiter>(), strangers: createWaitingTree<Waiter>() };
  const running = { proven: 0, strangers: 0 };
  /** Identities that run or wait among the proven. */
  const served = new Set<string>();
  let last: Side = "strangers";

  const runningCount = (): number => running.proven + running.strangers;
  const waitingCount = (): number => waiting.proven.count() + waiting.strangers.count();

  const sideOf = ({ provenFor }: Place): Side =>
    provenFor === undefined || served.has(provenFor) ? "strangers" : "proven";
  const pathOf = (side: Side, { path, provenFor = "" }: Place): Path => (side === "proven" ? [provenFor] : path);

  /** The side that loses a waiter when there is no room: the one with more, or the strangers if they are even. */
  const crowdedSide = (proven: number, strangers: number): Side => (proven > strangers ? "proven" : "strangers");

  function begin(side: Side): void {
    running[side] += 1;
    last = side;
  }

  /** The side that goes next: the one of which fewer run or, if they are even, the one that did not go last. */
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
      // The place is handed on, not given back, so that a newcomer can't overtake a waiter.
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

    /** Whether one more call at that place would run or wait now, and not be refused. */
    hasRoom(place: Place): boolean {
      if (runningCount() < places || waitingCount() < room) return true;
      const side = sideOf(place);
      const [proven, strangers] = [waiting.proven.count(), waiting.strangers.count()];
      const crowded = side === "proven" ? crowdedSide(proven + 1, strangers) : crowdedSide(proven, strangers + 1);
      return crowded !== side || waiting[side].isSmall(pathOf(side, place));
    },
  };
}
