import { afterEach, beforeEach, expect, test } from "bun:test";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { day, dayOf, hour, minute, second, type Millis } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { createPeopleRepository } from "../../src/figures/people.repository.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { address, createServices, quickHash, type Services, sessionOfSignIn } from "./service.inprocess.ts";

const password = "the password at the start";
const midnight = Date.UTC(2026, 5, 2);

let now: Millis;
let temporary: TemporaryDatabase;
let services: Services;
beforeEach(async () => {
  now = midnight - hour;
  temporary = await temporaryDatabase();
  const { database } = temporary;
  services = createServices({ database, behind: database, clock: { now: () => now } });
  for (const name of ["ada", "grace"]) {
    const email = `${name}@example.test`;
    const names = { username: name, usernameKey: name, email, emailKey: email, displayName: name };
    const user = freshUser({
      id: newId(),
      ...names,
      passwordHash: quickHash(password),
      emailVerifiedAt: 1,
      createdAt: 1,
    });
    await database.batch([createUserRepository(database).insert(user, 1)]);
  }
});
afterEach(() => temporary.dispose());

interface Tab {
  access: string;
  refresh: string;
}

async function signIn(name: string): Promise<Tab> {
  const login = services.login.login(`${name}@example.test`, password, { ...address, devices: [] }, true);
  const { access, refresh } = sessionOfSignIn(await login).issued;
  return { access, refresh };
}
async function ask({ access }: Tab): Promise<void> {
  const credentials = { bearer: access, access: undefined, refresh: () => undefined };
  const found = await services.sessions.authenticate({ ...credentials, all: () => ({ access: [], refresh: [] }) });
  if ("refused" in found) throw new Error(found.refused);
}
const refreshed = async ({ refresh }: Tab): Promise<Tab> => (await services.sessions.rotate(refresh, address)).issued;
async function renewed({ refresh }: Tab): Promise<Tab> {
  const issued = await services.sessions.renew(refresh, address);
  if (issued === undefined) throw new Error("the session was not renewed");
  return issued;
}

/** Resolves to how many people were there on the day before midnight, on the day after it, and on either. */
async function there() {
  const { active, lastSeen } = await createPeopleRepository(temporary.database).count(midnight - day);
  const on = (at: Millis): number => active.find((each) => each.at === at)?.accounts ?? 0;
  return {
    before: on(midnight - day),
    after: on(midnight),
    either: lastSeen.reduce((sum, { accounts }) => sum + accounts, 0),
  };
}

test("S-40 somebody who comes twenty times a day, in several browsers, is one", async () => {
  const tabs = [await signIn("ada"), await signIn("ada")];
  for (let times = 0; times < 20; times += 1) {
    now += 2 * minute;
    for (const tab of tabs) await ask(tab);
    if (times % 5 === 0) for (const [at, tab] of tabs.entries()) tabs[at] = await refreshed(tab);
  }
  expect(await there()).toEqual({ before: 1, after: 0, either: 1 });
  await signIn("grace");
  expect(await there()).toEqual({ before: 2, after: 0, either: 2 });
});

test.each([
  ["a request", async (tab: Tab) => ask(tab)],
  ["a refresh", async (tab: Tab) => refreshed(tab)],
  ["the page that is loaded first", async (tab: Tab) => renewed(tab)],
  ["a sign-in", async () => signIn("ada")],
])("%s a few seconds after midnight is one of the new day", async (_, come) => {
  const tab = await signIn("ada");
  now = midnight - 10 * second;
  await ask(tab);
  now = midnight + 5 * second;
  await come(tab);
  expect(await there()).toEqual({ before: 1, after: 1, either: 1 });
});

test("a refresh that was refused is no visit", async () => {
  const tab = await signIn("ada");
  const newer = await refreshed(tab);
  now = midnight + hour;
  await expect(refreshed(tab)).rejects.toThrow();
  await expect(refreshed(newer)).rejects.toThrow();
  expect(await there()).toEqual({ before: 1, after: 0, either: 1 });
});

test("a host whose clock is behind takes nobody back into the day before", async () => {
  now = midnight + 5 * second;
  await signIn("ada");
  now = midnight - 5 * second;
  await signIn("ada");
  now = midnight + 10 * second;
  await signIn("ada");
  expect(await there()).toEqual({ before: 0, after: 1, either: 1 });
  const [{ at } = { at: 0 }] = await temporary.database.all<{ at: Millis }>(
    "select last_seen_at as at from users where username = 'ada'",
  );
  expect(dayOf(at)).toBe(midnight);
});
