import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";

const site = "https://app.other.test";
const { rows, people, browser } = await stage({
  env: {
    APP_URL: "https://auth.example.test",
    AUTH_ALLOWED_ORIGINS: `https://app.example.test, ${site}`,
    AUTH_EMAIL_LOGIN_ENABLED: "true",
    AUTH_LOGIN_LOCKOUT_ATTEMPTS: "3",
  },
});

const elsewhere = { origin: site, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
const beside = { origin: "https://app.example.test", "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" };
const password = "a long walk by the sea";

/** The routes that sign in, with bodies that would be taken or refused for other reasons. */
const signIns: readonly (readonly [string, object])[] = [
  ["login", { login: "ada", password }],
  ["login/verify", { challenge: "x", method: "totp", code: "123456" }],
  ["register", { email: "newcomer@example.test", password }],
  ["email-login/confirm", { token: "x" }],
  ["passkeys/login/options", {}],
  ["invitation/accept", { token: "x", password }],
];

describe("X-89 where a browser would drop the cookies", () => {
  test.each(signIns)("%s says so in place of a sign-in that would not hold", async (route, body) => {
    const answer = await browser().post(auth(route), body, { headers: elsewhere });
    expect([answer.status, answer.at("code"), answer.setCookies]).toEqual([403, "cross_site_session", []]);
    expect(answer.at("detail")).toStartWith("The page is of another site than this service");
    expect(answer.headers.get("access-control-allow-origin")).toBe(site);
  });

  test("nothing has begun: no account, no session, no attempt", async () => {
    const before = rows.count("auth_sessions");
    for (let at = 0; at < 5; at += 1)
      await browser().post(auth("login"), { login: "grace", password: `wrong ${at}` }, { headers: elsewhere });
    const person = await people.register("grace");
    const answer = await browser().post(auth("login"), { login: person.email, password: person.password });
    expect(answer.status).toBe(200);
    expect(rows.count("auth_sessions")).toBe(before + 2);
    expect(rows.count("users where email = ?", "newcomer@example.test")).toBe(0);
  });

  test("a page of the same site, one of the service, and a client that is no browser sign in as ever", async () => {
    const person = await people.register("lin");
    const fields = { login: person.email, password: person.password };
    const own = { origin: "https://auth.example.test", "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
    for (const headers of [beside, own, {}]) {
      const answer = await browser().post(auth("login"), fields, { headers });
      expect([answer.status, answer.setCookies.map(({ name }) => name).includes("auth_access")]).toEqual([200, true]);
    }
    const native = await browser().post(auth("login"), { ...fields, delivery: "body" });
    expect([native.status, typeof native.at("tokens.access_token")]).toEqual([200, "string"]);
    const script = await browser().post(auth("login"), { ...fields, delivery: "body" }, { headers: elsewhere });
    expect(script.at("code")).toBe("cookies_only");
  });

  test("what needs no session goes on", async () => {
    const answer = await browser().post(auth("password-reset/request"), { login: "ada" }, { headers: elsewhere });
    expect(answer.status).toBe(200);
  });
});

test("X-89 a registration that opens no session is none that would not hold", async () => {
  const other = await stage({
    env: {
      APP_URL: "https://auth.example.test",
      AUTH_ALLOWED_ORIGINS: site,
      AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true",
    },
  });
  const answer = await other
    .browser()
    .post(auth("register"), { email: "ada@example.test", password }, { headers: elsewhere });
  expect([answer.status, answer.at("requires_email_verification")]).toEqual([200, true]);
});
