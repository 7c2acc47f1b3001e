import { expect, test } from "bun:test";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { userFactors } from "../../src/auth/user/user.factors.repository.ts";
import { createUserRepository, type UserRow } from "../../src/auth/user/user.repository.ts";
import { day, hour, second, type Millis } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import type { Statement } from "../../src/drivers/database/index.ts";
import { createPeopleRepository, type DayCount } from "../../src/figures/people.repository.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

/** How many turns the program takes, in each of which several accounts change at once; the check is content with few. */
const turns = Number(process.env["GATEHOUSE_TEST_COUNTED_TURNS"] ?? 300);
const atOnce = 6;
const mostAccounts = 60;

let random = 0x2545f491;
/** A number below `most`, the same in every run (xorshift32). */
function below(most: number): number {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) % most;
}
const dayOf = (at: Millis): Millis => at - (at % day);

/** Knows what was done to the accounts, and so how many people were there on which day. */
function createModel() {
  const last = new Map<string, Millis>();
  const there = new Map<Millis, number>();
  const add = (at: Millis, people: number): unknown => there.set(dayOf(at), (there.get(dayOf(at)) ?? 0) + people);
  return {
    came(id: string, at: Millis): void {
      const before = last.get(id);
      // The host's clock is a little behind that of another one.
      if (before !== undefined && before >= at && before <= at + hour) return;
      last.set(id, at);
      if (before !== undefined && dayOf(at) === dayOf(before)) return;
      add(at, 1);
      // A clock was ahead and was put right: the day that has yet to come is taken back. Of the day that it is now, nothing says
      // whether the person had been there before, so that they may count twice.
      if (before !== undefined && at < before) add(before, -1);
    },
    went(id: string): void {
      const before = last.get(id);
      if (before !== undefined) add(before, -1);
      last.delete(id);
    },
    days: (): readonly DayCount[] =>
      [...there]
        .map(([at, accounts]) => ({ at, accounts }))
        .filter(({ accounts }) => accounts !== 0)
        .toSorted((a, b) => a.at - b.at),
  };
}

/** Counts the rows themselves. */
async function scan({ database }: TemporaryDatabase) {
  const days = (column: string): Promise<DayCount[]> =>
    database.all<DayCount>(
      `select ${column} - ${column} % 86400000 as at, count(*) as accounts from users where ${column} is not null group by 1 order by 1`,
    );
  return {
    accounts: (await database.get<{ n: number }>("select count(*) as n from users"))?.n ?? 0,
    factors: await database.all<{ bits: number; accounts: number }>(
      "select factors as bits, count(*) as accounts from users group by factors order by factors",
    ),
    made: await days("created_at"),
    lastSeen: await days("last_seen_at"),
  };
}

function createProgram(temporary: TemporaryDatabase) {
  const { database } = temporary;
  const users = createUserRepository(database);
  const model = createModel();
  let now = Date.UTC(2026, 0, 1, 22);
  let known: UserRow[] = [];
  const applied = async (...statements: readonly Statement[]): Promise<boolean> =>
    (await database.batch(statements)).applied;
  const newcomer = (more: Partial<UserRow>): UserRow => {
    const id = newId();
    const email = `${id}@example.test`;
    const named = { id, username: email, usernameKey: email, email, emailKey: email, displayName: "" };
    return freshUser({ ...named, createdAt: now, ...more });
  };
  async function add(user: UserRow): Promise<void> {
    if (!(await applied(users.insert(user, now)))) return;
    known.push(user);
    if (user.lastSeenAt !== null) model.came(user.id, user.lastSeenAt);
  }
  const isThere = ({ id }: UserRow): boolean => known.some((each) => each.id === id);

  const acts: readonly ((user: UserRow | undefined) => Promise<void>)[] = [
    () => add(newcomer({ lastSeenAt: now, lastLoginAt: now })),
    () => add(newcomer({ createdAt: now - below(60) * day })),
    // The address is taken: nothing is inserted, and nothing is counted.
    async (user) => {
      if (user !== undefined) await add(newcomer({ email: user.email, emailKey: user.emailKey, lastSeenAt: now }));
    },
    async (user) => {
      if (user === undefined || !(await applied(users.remove(user)))) return;
      known = known.filter(({ id }) => id !== user.id);
      model.went(user.id);
    },
    async (user) => {
      const to = below(4);
      if (user !== undefined && isThere(user) && (await applied(userFactors.change(user, to, now))))
        known = known.map((each) => (each.id === user.id ? { ...each, factors: to } : each));
    },
    async (user) => {
      if (user !== undefined && (await applied(userFactors.clear(user.id, now))))
        known = known.map((each) => (each.id === user.id ? { ...each, factors: 0 } : each));
    },
    async (user) => {
      if (user !== undefined && (await applied(users.signedIn(user, now)))) model.came(user.id, now);
    },
    // The second of two hosts has a clock that is behind, and has not begun the day yet.
    async (user) => {
      if (user === undefined) return;
      for (const at of [now, now - 40 * second]) if (await applied(users.signedIn(user, at))) model.came(user.id, at);
    },
    // The clock is months ahead for a while.
    async (user) => {
      if (user === undefined) return;
      for (const at of [now + 90 * day, now]) if (await applied(users.signedIn(user, at))) model.came(user.id, at);
    },
    async (user) => {
      if (user === undefined) return;
      const { changes } = await database.run(users.seen(user.id, now).sql, { id: user.id, now });
      if (changes === 1) model.came(user.id, now);
    },
    // A guard that does not hold undoes what was counted.
    async (user) => {
      if (user !== undefined)
        await applied(users.seen(user.id, now), userFactors.change({ ...user, factors: 9 }, 1, now));
    },
  ];

  return {
    model,
    now: () => now,
    async turn(): Promise<void> {
      now += below(8) === 0 ? below(3) * day : below(8) === 0 ? day - (now % day) + below(50) * second : below(hour);
      const others = known.toSorted(() => below(3) - 1).slice(0, atOnce);
      const chosen = Array.from({ length: atOnce }, (_, at) => others[at]);
      await Promise.all(
        chosen.map((user) => {
          const act = acts[known.length > mostAccounts ? 3 : below(acts.length)];
          return act?.(user);
        }),
      );
    },
  };
}

test("S-40 the counts of accounts are those of a scan, whatever was done to accounts at once", async () => {
  await using temporary = await temporaryDatabase();
  const program = createProgram(temporary);
  const counted = createPeopleRepository(temporary.database);
  for (let turn = 0; turn < turns; turn += 1) {
    await program.turn();
    const { active, countedSince, ...counts } = await counted.count(0);
    expect({ turn, ...counts }).toEqual({ turn, ...(await scan(temporary)) });
    expect({ turn, active }).toEqual({ turn, active: [...program.model.days()] });
    expect(countedSince).toBeUndefined();
  }
  const { accounts, active } = await counted.count(0);
  expect(accounts).toBeGreaterThan(5);
  expect(active.length).toBeGreaterThan(10);
  const since = program.now() - 3 * day;
  expect((await counted.count(since)).accounts).toBe(accounts);
  expect((await counted.count(since)).made.every(({ at }) => at >= since)).toBe(true);
}, 120_000);
