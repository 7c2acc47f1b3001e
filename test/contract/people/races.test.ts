import { expect, test } from "bun:test";
import { auth, isServed, type Person } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { office } from "../../support/office.ts";
import { refusalOf } from "../../support/refusal.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

// Requests go to two programs on one database, and a third program does the acts.
const { target, rows, people: persons } = await stage();
const { accounts } = await office(target);
const rounds = 4;

interface Race {
  /** Browsers with a session, some of them opened by the race. */
  readonly served: Client[];
  /** Requests that were accepted although they were sent after the act had returned. */
  readonly late: string[];
}

/** Sends requests of every kind without a pause, until some time after the act has returned. */
async function race(person: Person, urls: readonly string[], act: () => Promise<unknown>): Promise<Race> {
  const race: Race = { served: [person.client], late: [] };
  let returned = false;
  let rest = 6;
  const credentials = { login: person.email, password: person.password };
  const keepOn = async (what: string, request: () => Promise<{ status: number }>): Promise<void> => {
    while (!returned || (rest -= 1) > 0) {
      const isLate = returned;
      const { status } = await request();
      if (status === 200 && isLate) race.late.push(what);
    }
  };
  const each = urls.flatMap((url) => {
    const signedIn = createClient(url);
    return [
      keepOn("login", async () => {
        const browser = createClient(url);
        const answer = await browser.post(auth("login"), credentials);
        if (answer.status === 200) race.served.push(browser);
        return answer;
      }),
      (async () => {
        if ((await signedIn.post(auth("login"), credentials)).status !== 200) return;
        race.served.push(signedIn);
        await keepOn("refresh", () => signedIn.post(auth("refresh")));
        await keepOn("me", () => signedIn.get(auth("me")));
      })(),
    ];
  });
  // All other requests have begun by then.
  await createClient(urls[0] ?? "").get(auth("me"));
  await act();
  returned = true;
  await Promise.all(each);
  return race;
}

async function twoPrograms(): Promise<{ urls: readonly string[]; stop: () => Promise<unknown> }> {
  const second = await startTarget({ env: target.env, migrate: false, roles: ["http"] });
  return { urls: [target.url, second.url], stop: () => second.stop() };
}

test("R-02 of sign-ins, refreshes and requests that race a disabling in two programs, none is accepted once it has returned", async () => {
  const { urls, stop } = await twoPrograms();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const ada = await persons.register("ada");
      const { served, late } = await race(ada, urls, () => accounts.disable(ada.id));
      expect(late).toEqual([]);
      expect(await Promise.all(served.map(isServed))).toEqual(served.map(() => false));
      expect(rows.count("auth_sessions where user_id = ? and revoked_at is null", ada.id)).toBe(0);
    }
  } finally {
    await stop();
  }
});

test("R-06 of sign-ins and refreshes that race a deletion in two programs, nothing is left of the account", async () => {
  const { urls, stop } = await twoPrograms();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const ada = await persons.register("ada");
      const { served, late } = await race(ada, urls, () => accounts.delete(ada.id));
      expect(late).toEqual([]);
      expect(await Promise.all(served.map(isServed))).toEqual(served.map(() => false));
      expect(rows.count("auth_sessions where user_id = ?", ada.id)).toBe(0);
    }
  } finally {
    await stop();
  }
});

test("R-02 a registration that races the disabling of the account it makes ends with no session", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const browser = createClient(target.url);
    const email = `racer${round}@example.test`;
    let disabled = false;
    const disabling = (async () => {
      while (!disabled) disabled = (await refusalOf(accounts.disable(email))) === undefined;
    })();
    await Promise.all([browser.post(auth("register"), { email, password: "a long walk by the sea" }), disabling]);
    expect(await isServed(browser)).toBe(false);
  }
});

test("changes of roles at once are all made, and each leaves its row once", async () => {
  const ada = await persons.register("ada");
  const names = ["a", "b", "c", "d"];
  const add = (name: string) => accounts.changeRoles(ada.id, { add: [name], remove: [] });
  await Promise.all(names.map(add));
  expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual(names);
  expect(rows.count("audit_events where subject_user_id = ? and action = 'auth.role-added'", ada.id)).toBe(
    names.length,
  );
});

test("of a disabling and an enabling again and again, each that says so has changed the account", async () => {
  const ada = await persons.register("ada");
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? accounts.disable(ada.id) : accounts.enable(ada.id))),
  );
  const changes = outcomes.filter((changed) => changed).length;
  const told = "audit_events where subject_user_id = ? and action in ('auth.user-disabled', 'auth.user-enabled')";
  expect(rows.count(told, ada.id)).toBe(changes);
  expect(rows.count("users where id = ? and active = ?", ada.id, changes % 2 === 0 ? 1 : 0)).toBe(1);
});
