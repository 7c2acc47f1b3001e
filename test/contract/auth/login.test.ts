import { describe, expect, test } from "bun:test";
import { auth, cookieNames, expectRefusal, isServed, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people } = await stage();

const browser = () => createClient(target.url);
const userFields = [
  "active",
  "avatar_url",
  "created_at",
  "display_name",
  "email",
  "email_verified_at",
  "has_password",
  "id",
  "last_login_at",
  "last_seen_at",
  "locale",
  "pending_email",
  "roles",
  "timezone",
  "username",
];

describe("POST /login", () => {
  test("answers the user and sets the cookies", async () => {
    const ada = await people.register("ada");
    const client = browser();
    const answer = await client.post(auth("login"), { login: ada.username, password: ada.password });
    expect(answer.status).toBe(200);
    expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["ok", "user"]);
    expect(Object.keys(Object(answer.at("user"))).toSorted()).toEqual(userFields);
    expect(answer.at("user")).toMatchObject({
      id: ada.id,
      username: ada.username,
      email: ada.email,
      display_name: ada.username,
      avatar_url: null,
      active: true,
      email_verified_at: null,
      timezone: null,
      locale: null,
      has_password: true,
    });
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_device", "auth_refresh"]);
    expect((await client.get("/api/v1/hello")).status).toBe(200);
  });

  test("tells when the user logged in last, in RFC 3339 UTC", async () => {
    const ada = await people.register("ada");
    const before = Date.now();
    const answer = await browser().post(auth("login"), { login: ada.username, password: ada.password });
    for (const field of ["last_login_at", "last_seen_at"]) {
      const at = answer.textAt(`user.${field}`);
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    }
    expect(Date.parse(answer.textAt("user.created_at"))).toBeLessThanOrEqual(before);
  });

  test("takes the user name or the address, in any case and with spaces around", async () => {
    const ada = await people.register("ada");
    for (const login of [ada.username.toUpperCase(), ada.email, ada.email.toUpperCase(), `  ${ada.email}\t`]) {
      const answer = await browser().post(auth("login"), { login, password: ada.password });
      expect({ login, status: answer.status, id: answer.at("user.id") }).toEqual({ login, status: 200, id: ada.id });
    }
  });

  test.each([
    ["an empty body", undefined, ["login", "password"]],
    ["an empty object", {}, ["login", "password"]],
    ["no password", { login: "ada" }, ["password"]],
    ["no login", { password: "a long walk by the sea" }, ["login"]],
    ["an empty login", { login: "", password: "a long walk by the sea" }, ["login"]],
    ["a login of spaces", { login: "   ", password: "a long walk by the sea" }, ["login"]],
    ["an empty password", { login: "ada", password: "" }, ["password"]],
  ])("refuses %s, and names what is missing", async (_, body, missing) => {
    const answer = await browser().post(auth("login"), body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    const required = { code: "required", message: "This is required." };
    expect(answer.at("fields")).toEqual(Object.fromEntries(missing.map((field) => [field, required])));
  });

  test.each([
    ["a number as login", { login: 5, password: "a long walk by the sea" }],
    ["a list as password", { login: "ada", password: ["a long walk by the sea"] }],
    ["an object as login", { login: { $ne: "" }, password: "a long walk by the sea" }],
    ["null", { login: null, password: null }],
    ["a word as remember", { login: "ada", password: "a long walk by the sea", remember: "yes" }],
    ["a list as body", [{ login: "ada" }]],
  ])("refuses %s as an invalid payload", async (_, body) => {
    expectRefusal(await browser().post(auth("login"), body), 400, "invalid payload", "invalid_payload");
  });

  test("refuses malformed JSON, and a body that is not JSON", async () => {
    const malformed = { headers: { "content-type": "application/json" }, body: '{"login":' };
    expectRefusal(await browser().post(auth("login"), undefined, malformed), 400, "invalid payload", "invalid_payload");
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const answer = await browser().post(auth("login"), undefined, {
        headers: { "content-type": type },
        body: "login=ada",
      });
      expectRefusal(answer, 415, "unsupported media type", "unsupported_media_type");
    }
  });

  test("ignores fields that it does not know", async () => {
    const ada = await people.register("ada");
    const fields = { login: ada.username, password: ada.password, admin: true, user: { id: "x" }, id: 5 };
    expect((await browser().post(auth("login"), fields)).status).toBe(200);
  });

  test("refuses a wrong password, an unknown login, an inactive account and one without a password", async () => {
    const [ada, grace, alan] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("alan"),
    ];
    rows.run("update users set active = 0 where id = ?", grace.id);
    rows.run("update users set password_hash = null where id = ?", alan.id);
    const attempts = [
      { login: ada.username, password: "not the password" },
      { login: "nobody", password: "not the password" },
      { login: grace.username, password: grace.password },
      { login: alan.username, password: alan.password },
    ];
    for (const attempt of attempts) {
      expectRefusal(await browser().post(auth("login"), attempt), 401, "invalid credentials", "invalid_credentials");
    }
  });

  test("leaves the cookies alone when it fails", async () => {
    const ada = await people.register("ada");
    for (const body of [{ login: ada.username, password: "wrong" }, {}, { login: 5 }]) {
      expect((await ada.client.post(auth("login"), body)).setCookies).toEqual([]);
    }
    expect(await isServed(ada.client)).toBe(true);
  });

  test("remembers for 720 h when asked to; else the refresh cookie ends with the browser", async () => {
    const ada = await people.register("ada");
    const lifetime = async (remember: boolean | undefined) => {
      const answer = await browser().post(auth("login"), { login: ada.username, password: ada.password, remember });
      return answer.setCookies.find(({ name }) => name === "auth_refresh")?.attributes.get("max-age");
    };
    const remembered = Number(await lifetime(true));
    expect(remembered).toBeGreaterThan(720 * 3600 - 60);
    expect(remembered).toBeLessThanOrEqual(720 * 3600);
    expect(await lifetime(false)).toBeUndefined();
    expect(await lifetime(undefined)).toBeUndefined();
  });

  test("L-12 issues a fresh session, and cookies set beforehand do not survive", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const planted = secretsOf(mallory.client);
    const victim = browser();
    victim.setCookie("auth_access", planted.access);
    victim.setCookie("auth_refresh", planted.refresh);
    const answer = await victim.post(auth("login"), { login: ada.username, password: ada.password });
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_device", "auth_refresh"]);
    const own = secretsOf(victim);
    expect(own.access).not.toBe(planted.access);
    expect(own.refresh).not.toBe(planted.refresh);
    expect((await victim.get(auth("me"))).at("user.id")).toBe(ada.id);
    expect((await mallory.client.get(auth("me"))).at("user.id")).toBe(mallory.id);
    const again = secretsOf(await ada.login());
    expect(again.refresh.slice(0, 36)).not.toBe(own.refresh.slice(0, 36));
  });

  test("L-13 a form or a fetch from another site is refused at login, register, refresh and logout", async () => {
    const ada = await people.register("ada");
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", origin: target.url },
    ];
    const bodies = {
      login: { login: ada.username, password: ada.password },
      register: { email: "mallory@example.test", password: "a long walk by the sea" },
      refresh: undefined,
      logout: undefined,
      "logout-all": undefined,
    };
    for (const [route, body] of Object.entries(bodies)) {
      for (const headers of foreign) {
        const answer = await ada.client.post(auth(route), body, { headers });
        expectRefusal(answer, 403, "cross-site request refused", "cross_site_request");
        expect(answer.setCookies).toEqual([]);
      }
    }
    expect(await isServed(ada.client)).toBe(true);
    expect(rows.count("users where email = 'mallory@example.test'")).toBe(0);
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "login=ada&password=x" };
    expect((await browser().post(auth("login"), undefined, form)).status).toBe(415);
  });

  test("its own pages, and clients that are no browsers, are let through", async () => {
    const ada = await people.register("ada");
    const { origin } = new URL(target.url);
    for (const headers of [{ "sec-fetch-site": "same-origin", origin }, { "sec-fetch-site": "none" }, {}]) {
      const answer = await browser().post(auth("login"), { login: ada.username, password: ada.password }, { headers });
      expect(answer.status).toBe(200);
    }
  });
});
