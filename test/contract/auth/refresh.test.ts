import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  claimsOf,
  cookieNames,
  expectEnded,
  expectRefusal,
  forge,
  isServed,
  nextMail,
  refreshes,
  second,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage();

const grace = 10 * second;
const withRefresh = (refresh: string) => browserWith(target.url, { refresh });
const sessionRow = ({ id }: Person) =>
  rows.get("select generation, secret_hash, revoked_at from auth_sessions where user_id = ? order by created_at", id);
const theftNotice = "You were signed out for your safety";
const noticesTo = ({ email }: Person): number =>
  mailbox.all().filter(({ recipients, subject }) => recipients.includes(email) && subject === theftNotice).length;

describe("POST /refresh", () => {
  test("answers the user, rotates the secret and sets both cookies", async () => {
    const ada = await people.register("ada");
    const before = secretsOf(ada.client);
    const answer = await ada.client.post(auth("refresh"));
    expect(answer.status).toBe(200);
    expect(answer.at("user.id")).toBe(ada.id);
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_refresh"]);
    expect(secretsOf(ada.client).refresh).not.toBe(before.refresh);
    expect(await isServed(ada.client)).toBe(true);
    expect(await refreshes(ada.client)).toBe(true);
  });

  test("takes the refresh cookie and nothing else", async () => {
    const ada = await people.register("ada");
    const { access, refresh } = secretsOf(ada.client);
    for (const stranger of [createClient(target.url), browserWith(target.url, { access }), withRefresh(access)]) {
      const answer = await stranger.post(auth("refresh"));
      expectRefusal(answer, 401, "unauthorized", "unauthorized");
      expect(answer.setCookies).toEqual([]);
    }
    const bearer = { headers: { authorization: `Bearer ${refresh}` } };
    expect((await createClient(target.url).post(auth("refresh"), undefined, bearer)).status).toBe(401);
    expect(await refreshes(withRefresh(refresh))).toBe(true);
  });

  test("keeps a remembered session remembered", async () => {
    const ada = await people.register("ada", { remember: true });
    const answer = await ada.client.post(auth("refresh"));
    const cookie = answer.setCookies.find(({ name }) => name === "auth_refresh");
    expect(Number(cookie?.attributes.get("max-age"))).toBeWithin(720 * 3600 - 60, 720 * 3600 + 1);
  });

  test("is not limited per address", async () => {
    const ada = await people.register("ada");
    for (let refresh = 0; refresh < 150; refresh += 1) {
      if (!(await refreshes(ada.client))) throw new Error(`refused after ${refresh}`);
    }
  });

  test("an altered or made-up secret is refused and ends nothing", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    const [id = "", generation = "", secret = "", tag = ""] = refresh.split(".");
    const { secret_hash } = sessionRow(ada);
    const flip = (text: string) => `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;
    const madeUp = [
      `${id}.${generation}.${flip(secret)}.${tag}`,
      `${id}.${generation}.${secret}.${flip(tag)}`,
      `${id}.2.${secret}.${tag}`,
      `${id}.0.${secret}.${tag}`,
      `${flip(id)}.${generation}.${secret}.${tag}`,
      `${id}.${generation}.${secret}`,
      `${id}.${generation}.${String(secret_hash)}.${tag}`,
      `${refresh}x`,
      refresh.slice(0, -1),
      refresh.toUpperCase(),
      String(secret_hash),
      id,
    ];
    rows.letPass(grace + second);
    for (const wrong of madeUp) {
      expect({ wrong, served: await isServed(withRefresh(wrong)) }).toEqual({ wrong, served: false });
      expect(await refreshes(withRefresh(wrong))).toBe(false);
    }
    expect(sessionRow(ada)).toMatchObject({ generation: 1, revoked_at: null });
    expect(await refreshes(withRefresh(refresh))).toBe(true);
  });
});

describe("rotation", () => {
  test("within 10 s the previous secret serves a burst in flight, without rotating; shown to explicit refresh it is refused", async () => {
    const ada = await people.register("ada");
    const { refresh: previous } = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    const current = sessionRow(ada);
    const burst = withRefresh(previous);
    const answer = await burst.get(auth("me"));
    expect(answer.status).toBe(200);
    expect(cookieNames(answer)).toEqual(["auth_access"]);
    const refused = await withRefresh(previous).post(auth("refresh"));
    expectRefusal(refused, 401, "unauthorized", "unauthorized");
    expect(refused.setCookies).toEqual([]);
    expect(sessionRow(ada)).toEqual(current);
    expect(await refreshes(ada.client)).toBe(true);
  });

  test("only the newest hash is stored, and a secret two generations old serves nobody", async () => {
    const ada = await people.register("ada");
    const { refresh: oldest } = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    await ada.client.post(auth("refresh"));
    expect(await isServed(withRefresh(oldest))).toBe(false);
    expect(await refreshes(withRefresh(oldest))).toBe(false);
    expect(sessionRow(ada)).toMatchObject({ generation: 3, revoked_at: null });
    expect(await isServed(ada.client)).toBe(true);
  });

  test("after 10 s the previous secret serves nobody; a protected request with it ends nothing", async () => {
    const ada = await people.register("ada");
    const { refresh: previous } = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    rows.letPass(5 * second);
    expect(await isServed(withRefresh(previous))).toBe(true);
    rows.letPass(grace);
    const answer = await withRefresh(previous).get(auth("me"));
    expectRefusal(answer, 401, "unauthorized", "unauthorized");
    expect(answer.setCookies).toEqual([]);
    expect(sessionRow(ada)).toMatchObject({ revoked_at: null });
    expect(await isServed(withRefresh(secretsOf(ada.client).refresh))).toBe(true);
  });

  test("C-07 a swapped-out secret shown to refresh after the window is theft: the session ends, and its owner is told once", async () => {
    const ada = await people.register("ada");
    rows.prove(ada);
    const other = await ada.login();
    const { refresh: stolen } = secretsOf(ada.client);
    await ada.client.post(auth("refresh"));
    const { refresh: current } = secretsOf(ada.client);
    rows.letPass(grace + second);
    for (const attempt of [1, 2, 3]) {
      const answer = await withRefresh(stolen).post(auth("refresh"));
      expectRefusal(answer, 401, "unauthorized", "unauthorized");
      expect({ attempt, cookies: answer.setCookies }).toEqual({ attempt, cookies: [] });
    }
    await expectEnded(target.url, { ...secretsOf(ada.client), refresh: current });
    expect(await isServed(other)).toBe(true);
    const notice = await nextMail(mailbox, ada.email, theftNotice);
    expect(notice.text).not.toContain(stolen);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    await nextMail(mailbox, ada.email, "Reset your password");
    expect(noticesTo(ada)).toBe(1);
  });

  test("a secret newer than the row, as after the restore of a backup, is refused and no theft", async () => {
    const ada = await people.register("ada");
    rows.run("create temp table older as select * from auth_sessions where user_id = ?", ada.id);
    for (const _ of [1, 2]) await ada.client.post(auth("refresh"));
    rows.run("delete from auth_sessions where user_id = ?", ada.id);
    rows.run("insert into auth_sessions select * from older");
    rows.letPass(grace + second);
    const { refresh } = secretsOf(ada.client);
    expectRefusal(await withRefresh(refresh).post(auth("refresh")), 401, "unauthorized", "unauthorized");
    expect(await isServed(withRefresh(refresh))).toBe(false);
    expect(sessionRow(ada)).toMatchObject({ generation: 1, revoked_at: null });
    expect(noticesTo(ada)).toBe(0);
  });

  test("C-08 of 50 simultaneous refreshes with one secret exactly one succeeds, and nobody is logged out", async () => {
    const ada = await people.register("ada");
    const before = secretsOf(ada.client);
    const browsers = Array.from({ length: 50 }, () => browserWith(target.url, before));
    const answers = await Promise.all(browsers.map((browser) => browser.post(auth("refresh"))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(49).fill(401)]);
    const winner = browsers[answers.findIndex(({ status }) => status === 200)];
    if (winner === undefined) throw new Error("nobody won");
    expect(sessionRow(ada)).toMatchObject({ generation: 2, revoked_at: null });
    for (const secrets of [before, secretsOf(winner)]) {
      expect(await isServed(browserWith(target.url, { access: secrets.access }))).toBe(true);
      expect(await isServed(withRefresh(secrets.refresh))).toBe(true);
    }
    expect(await refreshes(winner)).toBe(true);
    expect(noticesTo(ada)).toBe(0);
  });

  test("C-08 protected requests in the middle of a rotation are all served", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    const burst = Array.from({ length: 30 }, () => withRefresh(refresh).get("/api/v1/hello"));
    const [rotated, ...answers] = await Promise.all([ada.client.post(auth("refresh")), ...burst]);
    expect(rotated.status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("C-09 a refresh in flight while a revocation commits never leaves a live session", async () => {
    const revocations = {
      logout: ({ client }: Person) => client.copy().post(auth("logout")),
      "logout-all": ({ client }: Person) => client.copy().post(auth("logout-all")),
      revoke: async ({ client, id }: Person) => {
        const { id: session } = rows.get("select id from auth_sessions where user_id = ?", id);
        return client.copy().post(auth(`sessions/${String(session)}/revoke`));
      },
    };
    for (const revoke of Object.values(revocations)) {
      for (let round = 0; round < 8; round += 1) {
        const ada = await people.register("ada");
        const before = secretsOf(ada.client);
        const browsers = Array.from({ length: 4 }, () => ada.client.copy());
        const refreshing = browsers.map(async (browser, place) => {
          for (let turn = 0; turn < (place + round) % 4; turn += 1) await browser.get(auth("me"));
          return browser.post(auth("refresh"));
        });
        const [revoked] = await Promise.all([revoke(ada), ...refreshing]);
        expect(revoked.status).toBe(200);
        for (const browser of browsers) await expectEnded(target.url, { ...before, ...secretsOf(browser) });
        await expectEnded(target.url, before);
      }
    }
  });
});

describe("the refresh fallback", () => {
  test("C-19 a missing, expired or unverifiable access cookie is made good by the refresh cookie, without rotating", async () => {
    const ada = await people.register("ada");
    const { access, refresh } = secretsOf(ada.client);
    const before = sessionRow(ada);
    const now = Math.floor(Date.now() / 1000);
    const expired = forge({ ...claimsOf(access), iat: now - 2000, exp: now - 1000 });
    for (const stale of [
      undefined,
      "",
      "x",
      "a.b.c",
      expired,
      forge(claimsOf(access), "another key of 32 bytes or so....."),
    ]) {
      const browser = browserWith(target.url, stale === undefined ? { refresh } : { access: stale, refresh });
      const answer = await browser.get("/api/v1/hello");
      expect({ stale, status: answer.status }).toEqual({ stale, status: 200 });
      expect(cookieNames(answer)).toEqual(["auth_access"]);
      const reissued = answer.setCookies[0];
      expect(reissued?.attributes.get("max-age")).toBe("900");
      expect(await isServed(browserWith(target.url, { access: reissued?.value ?? "" }))).toBe(true);
    }
    expect(sessionRow(ada)).toEqual(before);
    expect(await refreshes(withRefresh(refresh))).toBe(true);
  });

  test("a good access cookie sets no cookie at all", async () => {
    const ada = await people.register("ada");
    for (const path of [auth("me"), auth("sessions"), "/api/v1/hello"])
      expect((await ada.client.get(path)).setCookies).toEqual([]);
  });

  test("a good access token of a revoked session is not made good by the refresh cookie of another", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const { access } = secretsOf(other);
    await other.post(auth("logout"));
    const { refresh } = secretsOf(ada.client);
    expect(await isServed(browserWith(target.url, { access, refresh }))).toBe(false);
    expect(await isServed(withRefresh(refresh))).toBe(true);
  });

  test("serves state changes too", async () => {
    const ada = await people.register("ada");
    const answer = await withRefresh(secretsOf(ada.client).refresh).post(auth("profile"), { locale: "fr" });
    expect({ status: answer.status, locale: answer.at("user.locale") }).toEqual({ status: 200, locale: "fr" });
    expect(cookieNames(answer)).toEqual(["auth_access"]);
  });
});
