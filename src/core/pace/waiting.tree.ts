interface Branch<Waiter> {
  /** Of all that wait here and further out. */
  count: number;
  /** In the order of arrival. */
  readonly waiters: Waiter[];
  /** In the order in which their turns come; none is empty. */
  readonly branches: Map<string, Branch<Waiter>>;
}

/** Leads from the largest group to the smallest one. None is the beginning of another. */
export type Path = readonly string[];

/**
 * Those that wait, in groups within groups. Turns go from one branch to the next at every fork, and within the smallest group to those
 * that came first: a group waits for itself, however many smaller ones it is made of. The caller bounds how many wait.
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
    // To the end: the other branches come first.
    if (chosen.count > 0) branch.branches.set(name, chosen);
    return waiter;
  }

  /** Of branches that are equally large the preferred one, or else the one whose turn comes last. */
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

    /** Of groups that are equally large the one on that path: a newcomer takes the place of nobody who has no more than it. */
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
