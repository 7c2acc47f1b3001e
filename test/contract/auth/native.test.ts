import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  expectRefusal,
  isServed,
  nextMail,
  refreshes,
  second,
  secretsOf,
} from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { bearer, createApp, tokensIn, type Tokens } from "../../support/native.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage();
const app = createApp(target.url);
const grace = 10 * second;
const next = "another walk by the sea";

/** Resolves to a person who has signed in with an app. */
async function appUser(name: string) {
  const { id, username, email, password } = await people.register(name);
  return { id, username, email, password, tokens: tokensIn(await app.login(email, password)) };
}

const isLive = async (tokens: Tokens): Promise<boolean> => (await app.get("me", tokens)).status === 200;
const sessionRow = ({ id }: { readonly id: string }) =>
  rows.get("select generation, revoked_at from auth_sessions where user_id = ? order by created_at desc, id desc", id);
const sessionCount = ({ id }: { readonly id: string }) =>
  rows.get("select count(*) as n from auth_sessions where user_id = ?", id)["n"];

function expectTokens(answer: Answer): void {
  expect([answer.status, answer.setCookies]).toEqual([200, []]);
  expect(answer.at("tokens")).toEqual({
    access_token: expect.stringMatching(/^eyJ/),
    refresh_token: expect.any(String),
    token_type: "Bearer",
    expires_in: 900,
    refresh_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  expect(answer.headers.get("cache-control")).toBe("no-store");
}

describe("X-82 a client that is no browser gets its session in the answer, and no cookie", () => {
  test("from a registration, a login, a new password and a refresh", async () => {
    const password = "a long walk by the sea";
    const registered = await app.register({ email: "native@example.test", password });
    expectTokens(registered);
    expect(registered.at("user.email")).toBe("native@example.test");
    const loggedIn = await app.login("native@example.test", password);
    expectTokens(loggedIn);
    const passwords = { current_password: password, new_password: next };
    const changed = await app.post("change-password", tokensIn(loggedIn), { delivery: "body", ...passwords });
    expectTokens(changed);
    const refreshed = await app.refresh(tokensIn(changed));
    expectTokens(refreshed);
    expect(refreshed.at("user.email")).toBe("native@example.test");
    expect(await isLive(tokensIn(refreshed))).toBe(true);
    // The new password has ended the other session, and has replaced the secret of its own session.
    expect(await isLive(tokensIn(registered))).toBe(false);
    expect((await app.refresh(tokensIn(loggedIn))).status).toBe(401);
  });

  test("with the end of a remembered session where that is asked for", async () => {
    const { email, password } = await people.register("ada");
    const answer = await app.login(email, password, { remember: true });
    const days = (Date.parse(answer.textAt("tokens.refresh_expires_at")) - Date.now()) / (86_400 * second);
    expect(days).toBeWithin(29.9, 30.1);
  });

  test("and ends it by the access token, again without a cookie", async () => {
    const ada = await appUser("ada");
    for (const route of ["logout", "logout-all", "revoke"]) {
      const tokens = tokensIn(await app.login(ada.email, ada.password));
      const { sid } = JSON.parse(atob(tokens.access.split(".")[1] ?? ""));
      const path = route === "revoke" ? `sessions/${sid}/revoke` : route;
      const answer = await app.post(path, tokens);
      expect({ route, status: answer.status, cookies: answer.setCookies }).toEqual({ route, status: 200, cookies: [] });
      expect(await isLive(tokens)).toBe(false);
      expect((await app.refresh(tokens)).status).toBe(401);
      const again = await app.post(path, tokens);
      expect([again.status, again.setCookies]).toEqual([401, []]);
    }
  });

  test("and is refused as a browser is, with no cookie and no token", async () => {
    const ada = await people.register("ada");
    const answer = await app.login(ada.email, "not the password");
    expectRefusal(answer, 401, "invalid credentials", "invalid_credentials");
    expect([answer.setCookies, answer.at("tokens"), answer.at("device_token")]).toEqual([[], undefined, undefined]);
    expectRefusal(
      await app.login(ada.email, ada.password, { delivery: "header" }),
      400,
      "invalid payload",
      "invalid_payload",
    );
  });

  test("where cookies come along with the access token, it is that one's session that ends", async () => {
    const [ada, grace] = [await appUser("ada"), await people.register("grace")];
    const held = secretsOf(grace.client);
    expect((await grace.client.post(auth("logout"), undefined, bearer(ada.tokens))).status).toBe(200);
    expect(await isLive(ada.tokens)).toBe(false);
    expect(await isServed(browserWith(target.url, held))).toBe(true);
  });
});

describe("X-83 tokens are never answered to a browser, nor to a client that sends the cookies of a session", () => {
  const browsers: readonly Readonly<Record<string, string>>[] = [
    { origin: "http://127.0.0.1" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { cookie: "auth_access=x" },
    { cookie: "auth_refresh=" },
    { cookie: "theme=dark; auth_refresh=x; auth_refresh=y" },
  ];

  test.each(browsers)("%j is refused before anything is done", async (headers) => {
    const ada = await appUser("ada");
    const own = "origin" in headers ? { origin: target.url } : headers;
    const client = createClient(target.url);
    const before = [sessionRow(ada), sessionCount(ada)];
    const { email, password, tokens } = ada;
    const passwords = { current_password: password, new_password: next };
    const asked: readonly (readonly [string, object])[] = [
      ["login", { login: email, password }],
      ["login", { login: email, password: "not the password" }],
      ["register", { email: "newcomer@example.test", password }],
      ["change-password", passwords],
    ];
    const answers = await Promise.all([
      ...asked.map(([route, fields]) =>
        client.post(auth(route), { delivery: "body", ...fields }, { headers: { ...bearer(tokens).headers, ...own } }),
      ),
      client.post(auth("refresh"), { refresh_token: tokens.refresh }, { headers: own }),
    ]);
    for (const answer of answers) {
      expectRefusal(answer, 403, "a browser gets its session in cookies", "cookies_only");
      expect([answer.setCookies, answer.at("tokens")]).toEqual([[], undefined]);
    }
    expect([sessionRow(ada), sessionCount(ada)]).toEqual(before);
    expect(rows.all("select id from users where email = 'newcomer@example.test'")).toEqual([]);
    expect((await app.refresh(tokens)).status).toBe(200);
  });

  test("a refresh by the cookie answers none, whatever else the body says", async () => {
    const ada = await people.register("ada");
    for (const body of [undefined, {}, { delivery: "body" }, { device_token: "x" }]) {
      const answer = await ada.client.post(auth("refresh"), body);
      expect([answer.status, answer.at("tokens"), answer.setCookies.length]).toEqual([200, undefined, 2]);
    }
    expectRefusal(
      await ada.client.post(auth("refresh"), { refresh_token: 7 }),
      400,
      "invalid payload",
      "invalid_payload",
    );
    expect(await refreshes(ada.client)).toBe(true);
  });
});

describe("X-84 a refresh token in the body rotates as one in the cookie does", () => {
  test("it works once, and only the newest one does", async () => {
    const { tokens } = await appUser("ada");
    const following = tokensIn(await app.refresh(tokens));
    const refused = await app.refresh(tokens);
    expectRefusal(refused, 401, "unauthorized", "unauthorized");
    expect(refused.setCookies).toEqual([]);
    expect((await app.refresh(following)).status).toBe(200);
  });

  test("shown again after the window it is theft: the session ends, and its owner is told", async () => {
    const ada = await appUser("ada");
    rows.prove(ada);
    const following = tokensIn(await app.refresh(ada.tokens));
    rows.letPass(grace + second);
    expect((await app.refresh(ada.tokens)).status).toBe(401);
    expect(await isLive(following)).toBe(false);
    expect((await app.refresh(following)).status).toBe(401);
    const notice = await nextMail(mailbox, ada.email, "You were signed out for your safety");
    expect(notice.text).not.toContain(ada.tokens.refresh);
  });

  test("of 50 at once exactly one succeeds, and the session goes on", async () => {
    const ada = await appUser("ada");
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.refresh(ada.tokens)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(49).fill(401)]);
    expect(sessionRow(ada)).toMatchObject({ generation: 2, revoked_at: null });
    const winner = answers.find(({ status }) => status === 200);
    if (winner === undefined) throw new Error("nobody won");
    expect(await isLive(tokensIn(winner))).toBe(true);
    expect((await app.refresh(tokensIn(winner))).status).toBe(200);
  });

  test("one in flight while a logout commits never leaves a live session", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { tokens } = await appUser("ada");
      const refreshing = Array.from({ length: 4 }, async (_, place) => {
        for (let turn = 0; turn < (place + round) % 3; turn += 1) await app.get("me", tokens);
        return app.refresh(tokens);
      });
      const [ended, ...answers] = await Promise.all([app.post("logout", tokens), ...refreshing]);
      expect(ended.status).toBe(200);
      for (const answer of answers.filter(({ status }) => status === 200)) {
        expect(await isLive(tokensIn(answer))).toBe(false);
        expect((await app.refresh(tokensIn(answer))).status).toBe(401);
      }
      expect(await isLive(tokens)).toBe(false);
    }
  });

  test.each(["", "x", "a.b.c", "auth_refresh=x", "é".repeat(500)])("%j is refused", async (refresh) => {
    const answer = await app.refresh({ refresh });
    expect([answer.status, answer.setCookies]).toEqual([401, []]);
  });

  test("an access token is none, and neither is the bearer of a request without a body", async () => {
    const { tokens } = await appUser("ada");
    expect((await app.refresh({ refresh: tokens.access })).status).toBe(401);
    expect((await app.post("refresh", tokens)).status).toBe(401);
    const asBearer = { ...tokens, access: tokens.refresh };
    expect((await app.get("me", asBearer)).status).toBe(401);
    expect((await app.refresh(tokens)).status).toBe(200);
  });

  test("a session can move from cookies to tokens, and back: it is one secret", async () => {
    const ada = await people.register("ada");
    const answer = await app.refresh(secretsOf(ada.client));
    expectTokens(answer);
    expect(await isServed(browserWith(target.url, { refresh: tokensIn(answer).refresh }))).toBe(true);
  });
});

describe("X-86 an app that the account has signed in with is not kept out by strangers", () => {
  const wrong = "not the password";
  const lock = async (email: string): Promise<void> => {
    for (let time = 0; time < 5; time += 1)
      await createClient(target.url).post(auth("login"), { login: email, password: wrong });
  };

  test("it shows the device token of an earlier answer, which keeps its proofs of other accounts", async () => {
    const [ada, grace] = [await appUser("ada"), await people.register("grace")];
    const shared = tokensIn(await app.login(grace.email, grace.password, { device_token: ada.tokens.device })).device;
    for (const { email, password } of [ada, grace]) {
      await lock(email);
      expect((await app.login(email, password)).status).toBe(423);
      expect((await app.login(email, password, { device_token: shared })).status).toBe(200);
    }
  });

  test("a made-up one is that of a stranger, and a new password makes it worthless", async () => {
    const ada = await appUser("ada");
    const old = ada.tokens.device ?? "";
    const passwords = { current_password: ada.password, new_password: next };
    const changed = await app.post("change-password", ada.tokens, {
      delivery: "body",
      device_token: old,
      ...passwords,
    });
    await lock(ada.email);
    const login = async (device_token: string) => (await app.login(ada.email, next, { device_token })).status;
    expect([await login(old), await login("x"), await login(`${old}x`)]).toEqual([423, 423, 423]);
    expect(await login(tokensIn(changed).device ?? "")).toBe(200);
  });

  test("it opens nothing, and a browser can't show it in a body", async () => {
    const ada = await appUser("ada");
    const device = ada.tokens.device ?? "";
    expect((await app.get("me", { ...ada.tokens, access: device })).status).toBe(401);
    expect((await app.refresh({ refresh: device })).status).toBe(401);
    await lock(ada.email);
    const { email: login, password } = ada;
    const answer = await createClient(target.url).post(auth("login"), { login, password, device_token: device });
    expect(answer.status).toBe(423);
  });
});
