import type { TurnsOptions } from "./turns.ts";

/** A caller's place in the order of turns. */
export interface Place {
  /** The groups by which strangers take turns, largest first. */
  readonly path: Path;
  /** The identity for which something was proven, if any. */
  readonly provenFor?: string | undefined;
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
export function createFairTurns({ running: places, waiting: room, refusal }: TurnsOptions) {
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

    /** Whether nothing runs; then nothing waits either. */
    isIdle: (): boolean => runningCount() === 0,

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

interface Branch<Waiter> {
  /** How many wait here and in the branches below. */
  count: number;
  /** Waiters in the order of arrival. */
  readonly waiters: Waiter[];
  /** Branches in the order of their turns; none is empty. */
  readonly branches: Map<string, Branch<Waiter>>;
}

/** Group names from the largest group to the smallest. No path is the beginning of another. */
type Path = readonly string[];

/**
 * Holds waiters in groups within groups. At every fork the branches take turns, and within the smallest group the first to come goes first:
 * a group waits for itself, however many smaller groups it consists of. The caller bounds how many wait.
 */
function createWaitingTree<Waiter>() {
  const newBranch = (): Branch<Waiter> => ({ count: 0, waiters: [], branches: new Map() });
  const root = newBranch();

  function branchOf(parent: Branch<Waiter>, name: string): Branch<Waiter> {
    const branch = parent.branches.get(name) ?? newBranch();
    parent.branches.set(name, branch);
    return branch;
  }

  function next(branch: Branch<Waiter>): Waiter | undefined {
    branch.count -= 1;
    const [first] = branch.branches;
    if (first === undefined) return branch.waiters.shift();
    const [name, chosen] = first;
    branch.branches.delete(name);
    const waiter = next(chosen);
    // Moved to the end, so that the other branches come first.
    if (chosen.count > 0) branch.branches.set(name, chosen);
    return waiter;
  }

  /** The largest branch. If several are equally large: the preferred one, otherwise the one whose turn comes last. */
  function largestOf({ branches }: Branch<Waiter>, preferred: string | undefined): string | undefined {
    const sizeOf = (name: string | undefined): number => (name === undefined ? 0 : (branches.get(name)?.count ?? 0));
    let largest: string | undefined;
    for (const name of branches.keys()) if (sizeOf(name) >= sizeOf(largest)) largest = name;
    return sizeOf(preferred) === sizeOf(largest) ? (preferred ?? largest) : largest;
  }

  function newestOfLargest(branch: Branch<Waiter>, [preferred, ...rest]: Path): Waiter | undefined {
    branch.count -= 1;
    const name = largestOf(branch, preferred);
    const largest = name === undefined ? undefined : branch.branches.get(name);
    if (name === undefined || largest === undefined) return branch.waiters.pop();
    const waiter = newestOfLargest(largest, name === preferred ? rest : []);
    if (largest.count === 0) branch.branches.delete(name);
    return waiter;
  }

  return {
    count: (): number => root.count,

    add(path: Path, waiter: Waiter): void {
      root.count += 1;
      let branch = root;
      for (const name of path) {
        branch = branchOf(branch, name);
        branch.count += 1;
      }
      branch.waiters.push(waiter);
    },

    takeNext: (): Waiter | undefined => (root.count === 0 ? undefined : next(root)),

    /**
     * Takes the newest waiter of the largest group. If several are equally large, the one on `path` loses: a newcomer only displaces a
     * group that is larger than its own.
     */
    takeNewestOfLargest: (path: Path): Waiter | undefined =>
      root.count === 0 ? undefined : newestOfLargest(root, path),

    /** Whether one more on this path would wait in none of the largest groups. */
    isSmall(path: Path): boolean {
      let branch: Branch<Waiter> | undefined = root;
      for (const name of path) {
        const size: number = (branch?.branches.get(name)?.count ?? 0) + 1;
        if (branch?.branches.values().some(({ count }) => count > size) === true) return true;
        branch = branch?.branches.get(name);
      }
      return false;
    },
  };
}
