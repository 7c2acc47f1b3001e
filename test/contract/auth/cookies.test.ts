import { describe, expect, test } from "bun:test";
import { auth, browserWith, calm, isServed, mailedToken, refreshes, secretsOf } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { startTarget } from "../../support/target.ts";
import { stage } from "../../support/stage.ts";

const { target, mailbox, people } = await stage();

const attributesOf = (answer: Answer, name: string): Record<string, string> => {
  const cookie = answer.setCookies.find((each) => each.name === name);
  if (cookie === undefined) throw new Error(`${name} was not set`);
  return Object.fromEntries([...cookie.attributes].map(([key, value]) => [key, value.toLowerCase()]));
};
const always = { httponly: "", samesite: "lax", path: "/" };

describe("attributes", () => {
  test("C-01 the cookies are HttpOnly, SameSite=Lax, Path=/ and host-only, in a header each", async () => {
    const ada = await people.register("ada");
    const answer = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    expect(answer.headers.getSetCookie()).toHaveLength(3);
    expect(attributesOf(answer, "auth_access")).toEqual({ ...always, "max-age": "900" });
    expect(attributesOf(answer, "auth_refresh")).toEqual(always);
    const remembered = await createClient(target.url).post(auth("login"), {
      login: ada.email,
      password: ada.password,
      remember: true,
    });
    expect(attributesOf(remembered, "auth_refresh")).toEqual({
      ...always,
      "max-age": expect.stringMatching(/^259(19\d\d|2000)$/),
    });
  });

  test("C-01 every route that sets them sets them alike, and clearing uses the same attributes", async () => {
    const ada = await people.register("ada");
    const change = { current_password: ada.password, new_password: "another walk by the sea" };
    for (const answer of [
      await ada.client.post(auth("refresh")),
      await ada.client.post(auth("change-password"), change),
    ]) {
      expect(attributesOf(answer, "auth_access")).toEqual({ ...always, "max-age": "900" });
      expect(attributesOf(answer, "auth_refresh")).toEqual(always);
    }
    const cleared = await ada.client.post(auth("logout"));
    for (const name of ["auth_access", "auth_refresh"]) {
      expect(attributesOf(cleared, name)).toEqual({ ...always, "max-age": "0" });
      expect(cleared.setCookies.find((cookie) => cookie.name === name)?.value).toBe("");
    }
  });

  test("Max-Age of the access cookie is its lifetime", async () => {
    const short = await startTarget({ env: { ...calm, AUTH_ACCESS_TOKEN_TTL: "90s" } });
    try {
      const answer = await createClient(short.url).post(auth("register"), {
        email: "ada@example.test",
        password: "a long walk by the sea",
      });
      expect(attributesOf(answer, "auth_access")["max-age"]).toBe("90");
    } finally {
      await short.stop();
    }
  });

  test.each([
    ["auto, plain HTTP", { AUTH_COOKIE_SECURE: "auto" }, {}, false],
    ["auto, APP_URL is https", { AUTH_COOKIE_SECURE: "auto", APP_URL: "https://id.example.test" }, {}, true],
    [
      "auto, a trusted proxy says https",
      { API_TRUSTED_PROXIES: "127.0.0.0/8" },
      { "x-forwarded-proto": "https" },
      true,
    ],
    ["auto, a trusted proxy says http", { API_TRUSTED_PROXIES: "127.0.0.0/8" }, { "x-forwarded-proto": "http" }, false],
    ["auto, a stranger says https", { API_TRUSTED_PROXIES: "192.0.2.0/24" }, { "x-forwarded-proto": "https" }, false],
    ["true", { AUTH_COOKIE_SECURE: "true" }, {}, true],
    ["false, APP_URL is https", { AUTH_COOKIE_SECURE: "false", APP_URL: "https://id.example.test" }, {}, false],
  ])("C-02 Secure with %s", async (_, env, headers, secure) => {
    const other = await startTarget({ env: { ...calm, ...env } });
    try {
      const client = createClient(other.url);
      const credentials = { email: "ada@example.test", password: "a long walk by the sea" };
      for (const answer of [
        await client.post(auth("register"), credentials, { headers }),
        await client.post(auth("refresh"), undefined, { headers }),
        await client.post(auth("logout"), undefined, { headers }),
      ]) {
        expect(answer.status).toBe(200);
        expect("secure" in attributesOf(answer, "auth_access")).toBe(secure);
        expect("secure" in attributesOf(answer, "auth_refresh")).toBe(secure);
      }
    } finally {
      await other.stop();
    }
  });

  test("C-04 both stay within 4096 bytes for the longest names, and are still understood", async () => {
    const longest = "\u{20000}".repeat(64);
    const host = `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.test`;
    for (const fields of [
      { username: longest, email: "longest.name@example.test", display_name: "\u{20000}".repeat(100) },
      { username: undefined, email: `${"\u{20000}".repeat(30)}@${host}` },
    ]) {
      const ada = await people.register("ada", fields);
      const { access, refresh } = secretsOf(ada.client);
      expect(Buffer.byteLength(`auth_access=${access}`)).toBeLessThanOrEqual(4096);
      expect(Buffer.byteLength(`auth_refresh=${refresh}`)).toBeLessThanOrEqual(4096);
      expect(await isServed(browserWith(target.url, { access }))).toBe(true);
      expect(await isServed(browserWith(target.url, { refresh }))).toBe(true);
    }
  });
});

describe("C-05 two cookies of one name", () => {
  const me = (cookie: string) => createClient(target.url).get(auth("me"), { headers: { cookie } });

  test("of two users: nobody's, and never the planted session", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const [own, planted] = [secretsOf(ada.client), secretsOf(mallory.client)];
    for (const name of ["access", "refresh"] as const) {
      for (const pair of [
        [planted, own],
        [own, planted],
      ]) {
        const answer = await me(pair.map((secrets) => `auth_${name}=${secrets[name]}`).join("; "));
        expect([200, 401]).toContain(answer.status);
        expect(answer.at("user.id")).not.toBe(mallory.id);
      }
    }
    const all = [planted, own].map(({ access, refresh }) => `auth_access=${access}; auth_refresh=${refresh}`);
    for (const cookie of [all.join("; "), all.toReversed().join("; ")]) {
      const answer = await me(cookie);
      expect([200, 401]).toContain(answer.status);
      expect(answer.at("user.id")).not.toBe(mallory.id);
    }
  });

  test("of one user and rubbish: the same answer whenever asked, and never a 500", async () => {
    const ada = await people.register("ada");
    const { access, refresh } = secretsOf(ada.client);
    const rubbish = ["", "x", "%", "%ff", '"', "a.b.c", "=", "x=y", "\u00e9", "__proto__", "a".repeat(5_000)];
    for (const wrong of rubbish) {
      for (const cookie of [
        `auth_access=${wrong}; auth_access=${access}`,
        `auth_access=${access}; auth_access=${wrong}`,
        `auth_refresh=${wrong}; auth_refresh=${refresh}`,
        `auth_access=${wrong}; auth_refresh=${wrong}`,
        `auth_access; ${wrong}; auth_refresh=${wrong}; ; =`,
      ]) {
        const { status } = await me(cookie);
        expect([200, 401]).toContain(status);
        expect((await me(cookie)).status).toBe(status);
        const logout = await createClient(target.url).post(auth("logout"), undefined, {
          headers: { cookie: `auth_access=${wrong}; ${wrong}` },
        });
        expect(logout.status).toBe(401);
      }
    }
  });

  test("a planted refresh cookie is not rotated, and ends nobody's session", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const { refresh } = secretsOf(ada.client);
    const planted = secretsOf(mallory.client);
    const cookie = `auth_refresh=${planted.refresh}; auth_refresh=${refresh}`;
    const answer = await createClient(target.url).post(auth("refresh"), undefined, { headers: { cookie } });
    expect(answer.at("user.id")).not.toBe(mallory.id);
    expect(await isServed(ada.client)).toBe(true);
    if (answer.status !== 200) expect(await refreshes(ada.client)).toBe(true);
  });
});

test("C-17 every answer of an auth route says no-store, refusals too", async () => {
  const ada = await people.register("ada");
  const stranger = () => createClient(target.url);
  await stranger().post(auth("password-reset/request"), { login: ada.email });
  const token = await mailedToken(mailbox, ada.email, "Reset your password");
  const change = { current_password: ada.password, new_password: "another walk by the sea" };
  const answers = [
    await stranger().post(auth("register"), { email: "grace@example.test", password: "a long walk by the sea" }),
    await stranger().post(auth("register"), { email: "grace@example.test", password: "a long walk by the sea" }),
    await stranger().post(auth("login"), { login: ada.email, password: ada.password }),
    await stranger().post(auth("login"), { login: ada.email, password: "wrong" }),
    await stranger().post(auth("login"), {}),
    await stranger().get(auth("login")),
    await stranger().get(auth("nowhere")),
    await ada.client.get(auth("me")),
    await stranger().get(auth("me")),
    await ada.client.get(auth("sessions")),
    await ada.client.post(auth("profile"), { locale: "de" }),
    await ada.client.post(auth("refresh")),
    await stranger().post(auth("refresh")),
    await ada.client.post(auth("email-verification/request")),
    await stranger().post(auth("email-verification/confirm"), { token: "x" }),
    await ada.client.post(auth("change-password"), change),
    await stranger().post(auth("password-reset/request"), { login: ada.email }),
    await stranger().post(auth("password-reset/confirm"), { token, new_password: "short" }),
    await stranger().post(auth("password-reset/confirm"), { token: "x", new_password: "a third walk by the sea" }),
    await ada.client.post(auth("logout")),
    await stranger().post(auth("logout")),
  ];
  for (const { status, text, headers } of answers) {
    expect({ status, text, cacheControl: headers.get("cache-control") }).toEqual({
      status,
      text,
      cacheControl: "no-store",
    });
  }
});
