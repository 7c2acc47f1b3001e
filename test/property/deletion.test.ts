import { expect, test } from "bun:test";
import { createAccountRace, ownActs, password, type Act } from "./account.race.ts";
import { address } from "./service.inprocess.ts";

/** Rounds for each act: so many find within a second what a missing guard would leave behind. */
const perAct = 40;

const acts: Readonly<Record<string, Act>> = {
  ...ownActs,
  "another deletion": ({ deletion }, { session }) => deletion.deleteOwn(session, password, address),
  "the end by an operator": async ({ deletion, users }, { session }) => {
    const user = await users.byId(session.userId);
    if (user !== undefined) await deletion.delete(user, { actor: "operator" });
  },
};

/** Acts that have no right to happen once the account is gone, and after which the deletion's own proof is worth nothing. */
const rivals: ReadonlySet<string> = new Set([
  "another deletion",
  "the end of all sessions",
  "a change of the password",
  "a reset",
]);

test("A-06 random interleavings of a deletion and another request leave all of the account or nothing of it", async () => {
  await using race = await createAccountRace();
  const { services, database, browsers } = race;
  const left = async (): Promise<number[]> => {
    const tables = ["users", "auth_sessions", "auth_grants"];
    const counts = tables.map((table) => database.get<{ n: number }>(`select count(*) as n from ${table}`));
    return (await Promise.all(counts)).map((row) => row?.n ?? 0);
  };

  const [first] = browsers;
  const plays = Object.entries(acts).flatMap(([name, act]) => browsers.map((other) => ({ name, act, other })));
  for (const { name, act, other } of plays) {
    for (let seed = 0; seed < perAct; seed += 1) {
      const where = `${name}, interleaving ${seed}`;
      const outcomes = await race.play(where, seed, [
        () => services.deletion.deleteOwn(first.session, password, address),
        () => act(services, other),
      ]);
      const [users = 0, ...others] = await left();
      if (users === 0) expect({ where, others }).toEqual({ where, others: [0, 0] });
      const done = outcomes.filter((each) => each === "done").length;
      // A user who is told that the account is gone can rely on that.
      if (users !== 0 || rivals.has(name)) expect({ where, done }).toEqual({ where, done: 1 });
    }
  }
}, 300_000);
