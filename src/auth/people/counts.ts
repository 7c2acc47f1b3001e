import type { Locks } from "../pressure/locks.ts";
import { readRoles } from "../user/roles.ts";
import { afterAllIds } from "../../core/ids.ts";
import type { PeopleRepository } from "./people.repository.ts";

/** A count that stops at a bound, so that it takes no longer among a million. */
interface Count {
  readonly count: number;
  readonly isMore: boolean;
}

export interface PeopleCounts {
  readonly all: Count;
  readonly disabled: Count;
  readonly locked: Count;
  readonly unverified: Count;
  /** Roles, those of most people first. */
  readonly roles: readonly (Count & { readonly role: string })[];
}

interface CountOptions {
  readonly people: PeopleRepository;
  readonly locks: Pick<Locks, "ofAll" | "candidates">;
}

const mostCounted = 1_000;
/** How many combinations of roles are counted: an installation has a handful. */
const mostCombinations = 100;
const mostRoles = 12;
/** How many accounts with a counter against them are looked at; few of them are kept out. */
const mostCandidates = 200;

const bounded = (count: number): Count => ({ count: Math.min(count, mostCounted), isMore: count > mostCounted });

/** Counts the groups that the list of people can be filtered by. */
export function createCounts({ people, locks }: CountOptions) {
  async function roles(): Promise<PeopleCounts["roles"]> {
    const combinations = (await people.combinations()).slice(0, mostCombinations);
    const counted = await Promise.all(combinations.map((held) => people.countWithRoles(held, mostCounted + 1)));
    const totals = new Map<string, number>();
    for (const [index, held] of combinations.entries())
      for (const role of readRoles(held)) totals.set(role, (totals.get(role) ?? 0) + (counted[index] ?? 0));
    return [...totals]
      .toSorted(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
      .slice(0, mostRoles)
      .map(([role, count]) => ({ role, ...bounded(count) }));
  }

  async function locked(): Promise<Count> {
    const ids = await locks.candidates(afterAllIds, mostCandidates + 1);
    const held = await locks.ofAll(await people.byIds(ids.slice(0, mostCandidates)));
    const count = [...held.values()].filter((some) => some.length > 0).length;
    return { count, isMore: ids.length > mostCandidates };
  }

  return async (): Promise<PeopleCounts> => {
    const [all, disabled, unverified, ofRoles, ofLocked] = await Promise.all([
      people.count("all", mostCounted + 1),
      people.count("disabled", mostCounted + 1),
      people.count("unverified", mostCounted + 1),
      roles(),
      locked(),
    ]);
    return {
      all: bounded(all),
      disabled: bounded(disabled),
      unverified: bounded(unverified),
      locked: ofLocked,
      roles: ofRoles,
    };
  };
}
