import { expect, test } from "bun:test";
import { createAccountRace, ownActs, password, type Act } from "./account.race.ts";
import { address } from "./service.inprocess.ts";

const perAct = 40;

const acts: Readonly<Record<string, Act>> = {
  ...ownActs,
  "a deletion by the user": ({ deletion }, { session }) => deletion.deleteOwn(session, password, address),
  "a deletion by an operator": ({ accounts }, { session }) => accounts.delete(session.userId),
  "an unlocking": ({ accounts }, { session }) => accounts.unlock(session.userId),
  "another disabling": ({ accounts }, { session }) => accounts.disable(session.userId),
};

test("R-02 random interleavings of a disabling and another request leave no session that opens anything", async () => {
  await using race = await createAccountRace();
  const { services, database, browsers } = race;
  const one = async (sql: string): Promise<number> => (await database.get<{ n: number }>(sql))?.n ?? 0;

  const [{ session }] = browsers;
  const plays = Object.entries(acts).flatMap(([name, act]) => browsers.map((other) => ({ name, act, other })));
  for (const { name, act, other } of plays) {
    for (let seed = 0; seed < perAct; seed += 1) {
      const where = `${name}, interleaving ${seed}`;
      const told = await one("select count(*) as n from audit_events where action = 'auth.user-disabled'");
      const [disabling] = await race.play(where, seed, [
        () => services.accounts.disable(session.userId),
        () => act(services, other),
      ]);
      const users = await one("select count(*) as n from users");
      const active = await one("select count(*) as n from users where active = 1");
      const open = await one("select count(*) as n from auth_sessions where revoked_at is null");
      const since = (await one("select count(*) as n from audit_events where action = 'auth.user-disabled'")) - told;
      if (users === 1)
        expect({ where, disabling, active, open, since }).toEqual({
          where,
          disabling: "done",
          active: 0,
          open: 0,
          since: 1,
        });
      else expect({ where, open }).toEqual({ where, open: 0 });
    }
  }
}, 300_000);

test("R-02 random interleavings of disabling and enabling with a sign-in end as their last answer says", async () => {
  await using race = await createAccountRace();
  const { services, database, browsers } = race;
  const [{ session }] = browsers;
  const { userId } = session;
  const login = ownActs["a login"];
  if (login === undefined) throw new Error("there is no login");
  for (let seed = 0; seed < 4 * perAct; seed += 1) {
    const where = `interleaving ${seed}`;
    const changed: boolean[] = [];
    const [, , signedIn] = await race.play(where, seed, [
      async () => changed.push(await services.accounts.disable(userId)),
      async () => changed.push(await services.accounts.enable(userId)),
      () => login(services, browsers[0]),
    ]);
    const [disabled, enabled] = [changed.length, changed.filter((each) => each).length];
    const user = await database.get<{ active: number }>("select active from users");
    expect({ where, disabled, active: user?.active }).toEqual({ where, disabled: 2, active: enabled === 2 ? 1 : 0 });
    const live = await database.all("select id from auth_sessions where revoked_at is null");
    // Sessions from before have ended; only the sign-in may have come after the enabling.
    expect(live.length).toBeLessThanOrEqual(signedIn === "done" && enabled === 2 ? 1 : 0);
  }
}, 300_000);
