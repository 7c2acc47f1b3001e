import { dayOf, type Millis } from "../core/clock.ts";
import { computed, sql, type Database } from "../drivers/database/index.ts";

interface Part {
  readonly kind: string;
  readonly part: number;
  readonly accounts: number;
}

/** How many accounts there are, and what is known of their people. Deleted accounts do not count. */
export interface People {
  readonly accounts: number;
  /** How many have a second factor, by the bits of `users.factors`. */
  readonly factors: readonly { readonly bits: number; readonly accounts: number }[];
  /** How many were made on each day, by when that day begins, in UTC. */
  readonly made: readonly DayCount[];
  /** How many different people were there on each day. */
  readonly active: readonly DayCount[];
  /** How many were there last on each day: the sum over several days is how many different people were there on any of them. */
  readonly lastSeen: readonly DayCount[];
  /** The day since which `active` is complete: before it only the last day of each account is known. Undefined where it always is. */
  readonly countedSince: Millis | undefined;
}

export interface DayCount {
  readonly at: Millis;
  readonly accounts: number;
}

const found = sql`select ${computed<Part>({ kind: "kind", part: "part", accounts: "sum(accounts)" })}
  from account_counts where kind = 'factors' or part >= $since group by kind, part having sum(accounts) <> 0 order by kind, part`;

/** Reads and forgets rows of `account_counts`, which triggers fill as accounts change. */
export const createPeopleRepository = (db: Database) => ({
  async count(since: Millis): Promise<People> {
    const parts = await db.all(found, { since });
    const of = (kind: string): readonly Part[] => parts.filter((each) => each.kind === kind);
    const days = (kind: string): readonly DayCount[] => of(kind).map(({ part, accounts }) => ({ at: part, accounts }));
    const factors = of("factors").map(({ part, accounts }) => ({ bits: part, accounts }));
    return {
      accounts: factors.reduce((sum, { accounts }) => sum + accounts, 0),
      factors,
      made: days("new"),
      active: days("active"),
      lastSeen: days("seen"),
      countedSince: of("since")[0]?.part,
    };
  },

  /** Forgets days before `before`, at most `limit` rows. Resolves to how many went. */
  async forget(before: Millis, limit: number): Promise<number> {
    const { changes } = await db.run(
      `delete from account_counts where (kind, part, slot) in
       (select kind, part, slot from account_counts where kind <> 'factors' and part < $before limit $limit)`,
      { before: dayOf(before), limit },
    );
    return changes;
  },
});

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;
