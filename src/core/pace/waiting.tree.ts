interface Branch<Waiter> {
  /** How many wait here and in the branches below. */
  count: number;
  /** Waiters in the order of arrival. */
  readonly waiters: Waiter[];
  /** Branches in the order of their turns; none is empty. */
  readonly branches: Map<string, Branch<Waiter>>;
}

/** Group names from the largest group to the smallest. No path is the beginning of another. */
export type Path = readonly string[];

/**
 * Holds waiters in groups within groups. At every fork the branches take turns, and within the smallest group the first to come goes first:
 * a group waits for itself, however many smaller groups it consists of. The caller bounds how many wait.
 */
export function createWaitingTree<Waiter>() {
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
