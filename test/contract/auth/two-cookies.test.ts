import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  calm,
  createPeople,
  expectEnded,
  expectRefusal,
  isCleared,
  isServed,
  secretsOf,
  type Secrets,
} from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startTarget, type Target } from "../../support/target.ts";

let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  target = await startTarget({ env: calm });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
afterAll(async () => {
  rows.close();
  await target.stop();
});

/** Returns a header with the cookies in that order, under both names. */
const both = (...all: readonly Secrets[]): string =>
  [...all.map(({ access }) => `auth_access=${access}`), ...all.map(({ refresh }) => `auth_refresh=${refresh}`)].join(
    "; ",
  );
const post = (route: string, cookie: string): Promise<Answer> =>
  createClient(target.url).post(auth(route), undefined, { headers: { cookie } });
const me = (cookie: string): Promise<Answer> => createClient(target.url).get(auth("me"), { headers: { cookie } });
const rubbish: Secrets = { access: "a.b.c", refresh: "x" };

describe("C-31 a logout with several cookies of one name", () => {
  test("ends each session whose cookie verifies, and clears both cookies", async () => {
    const ada = await people.register("ada");
    const [first, second] = [secretsOf(ada.client), secretsOf(await ada.login())];
    const other = await ada.login();
    const answer = await post("logout", both(first, second));
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
    expect(isCleared(answer)).toBe(true);
    await expectEnded(target.url, first);
    await expectEnded(target.url, second);
    expect(await isServed(other)).toBe(true);
  });

  test.each(["before", "behind"] as const)("of which one was planted %s it", async (place) => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const [own, planted] = [secretsOf(ada.client), secretsOf(mallory.client)];
    const answer = await post("logout", place === "before" ? both(planted, own) : both(own, planted));
    expect([answer.status, isCleared(answer)]).toEqual([200, true]);
    await expectEnded(target.url, own);
    await expectEnded(target.url, planted);
  });

  test("of which all but one are rubbish or from sessions that have ended", async () => {
    const ada = await people.register("ada");
    const ended = secretsOf(await ada.login());
    await browserWith(target.url, ended).post(auth("logout"));
    for (const cookie of [
      (own: Secrets) => both(rubbish, own),
      (own: Secrets) => both(ended, own, rubbish),
      (own: Secrets) => `auth_access=a.b.c; auth_access=${own.access}`,
      (own: Secrets) => `auth_refresh=${own.refresh}; auth_refresh=${ended.refresh}`,
      (own: Secrets) =>
        both(...Array.from({ length: 20 }, (_, index) => ({ access: `${index}`, refresh: `${index}` })), own),
    ]) {
      const own = secretsOf(await ada.login());
      expect((await post("logout", cookie(own))).status).toBe(200);
      await expectEnded(target.url, own);
    }
  });

  test("ends the sessions of both names where they differ", async () => {
    const ada = await people.register("ada");
    const [first, second] = [secretsOf(ada.client), secretsOf(await ada.login())];
    expect((await post("logout", `auth_access=${first.access}; auth_refresh=${second.refresh}`)).status).toBe(200);
    await expectEnded(target.url, first);
    await expectEnded(target.url, second);
  });

  test("of which none verifies answers 401, and clears both", async () => {
    const ada = await people.register("ada");
    const own = secretsOf(ada.client);
    await post("logout", both(own));
    const answer = await post("logout", both(own, rubbish));
    expectRefusal(answer, 401, "unauthorized", "unauthorized");
    expect(isCleared(answer)).toBe(true);
  });
});

describe("C-32 of several cookies of one name", () => {
  test("the one that serves is taken, whatever else is there and wherever it stands", async () => {
    const ada = await people.register("ada");
    const ended = secretsOf(await ada.login());
    await browserWith(target.url, ended).post(auth("logout"));
    const own = secretsOf(ada.client);
    for (const cookie of [both(rubbish, own), both(own, rubbish), both(ended, own), both(own, ended, rubbish)])
      expect((await me(cookie)).at("user.id")).toBe(ada.id);
    const renewed = await me(`auth_refresh=x; auth_refresh=${own.refresh}`);
    expect([renewed.status, renewed.setCookies.map(({ name }) => name)]).toEqual([200, ["auth_access"]]);
    const refreshed = await post("refresh", `auth_refresh=${ended.refresh}; auth_refresh=${own.refresh}`);
    expect(refreshed.at("user.id")).toBe(ada.id);
  });

  test("an older secret beside the newest is not taken for stolen", async () => {
    const ada = await people.register("ada");
    const older = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    rows.letPass(60_000);
    const newest = secretsOf(ada.client);
    const cookie = `auth_refresh=${older.refresh}; auth_refresh=${newest.refresh}`;
    expect((await me(cookie)).at("user.id")).toBe(ada.id);
    expect((await post("refresh", cookie)).status).toBe(200);
  });

  test("those of two sessions of one user are the first one's", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    for (const [first, second] of [
      [ada.client, other],
      [other, ada.client],
    ] as const) {
      const cookie = both(secretsOf(first), secretsOf(second));
      const list = await createClient(target.url).get(auth("sessions"), { headers: { cookie } });
      const mine = await first.get(auth("sessions"));
      expect(list.at("sessions")).toEqual(mine.at("sessions"));
    }
  });

  test("those of two users are nobody's: not even a refresh is made for one", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const [own, planted] = [secretsOf(ada.client), secretsOf(mallory.client)];
    for (const cookie of [both(own, planted), both(planted, own)]) {
      expectRefusal(await me(cookie), 401, "unauthorized", "unauthorized");
      expectRefusal(await post("refresh", cookie), 401, "unauthorized", "unauthorized");
    }
    expect(await isServed(ada.client)).toBe(true);
  });

  test("a few are tried and no more", async () => {
    const ada = await people.register("ada");
    const own = secretsOf(ada.client);
    const many = Array.from({ length: 8 }, (_, index) => ({ access: `a.b.${index}`, refresh: `${index}` }));
    expect((await me(both(...many.slice(0, 3), own))).status).toBe(200);
    expectRefusal(await me(both(...many, own)), 401, "unauthorized", "unauthorized");
  });
});
