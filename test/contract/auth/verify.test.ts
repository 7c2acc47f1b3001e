import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  claimsOf,
  expectRefusal,
  hour,
  minute,
  second,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const app = "https://app.example.test";
const { target, rows, people, browser } = await stage({
  env: { API_TRUSTED_PROXIES: "127.0.0.1/32", AUTH_ALLOWED_ORIGINS: app, APP_URL: "https://auth.example.test" },
});
const verify = auth("verify");
const give = (person: Person, roles: string) => rows.run("update users set roles = ? where id = ?", roles, person.id);

const told = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-auth-")).toSorted());

describe("GET /verify", () => {
  test("V-02 answers 204 and who it is, in headers that no cache keeps", async () => {
    const ada = await people.register("ada");
    give(ada, "admin editor");
    for (const method of ["GET", "HEAD"]) {
      const answer = await ada.client.request(method, verify);
      expect({ method, status: answer.status, text: answer.text }).toEqual({ method, status: 204, text: "" });
      expect(told(answer)).toEqual({
        "x-auth-acr": "aal1",
        "x-auth-time": String(claimsOf(secretsOf(ada.client).access)["auth_time"]),
        "x-auth-email": ada.email,
        "x-auth-email-verified": "false",
        "x-auth-roles": "admin,editor",
        "x-auth-session-id": String((await ada.client.get(auth("sessions"))).at("sessions.0.id")),
        "x-auth-user-id": ada.id,
        "x-auth-username": ada.username,
      });
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.setCookies).toEqual([]);
    }
    rows.prove(ada);
    const headers = { authorization: `Bearer ${secretsOf(ada.client).access}` };
    expect((await browser().get(verify, { headers })).headers.get("x-auth-email-verified")).toBe("true");
  });

  test("V-02 writes what a header can't hold in percent signs, and sends each header even if it is empty", async () => {
    const grace = await people.register("grace", { username: "Grâce Ørsted", email: "o'grace+%41@example.test" });
    const answer = await grace.client.get(verify);
    expect(answer.headers.get("x-auth-username")).toBe("Gr%C3%A2ce%20%C3%98rsted");
    expect(answer.headers.get("x-auth-email")).toBe("o'grace+%2541@example.test");
    expect(decodeURIComponent(answer.headers.get("x-auth-email") ?? "")).toBe(grace.email);
    expect(answer.headers.has("x-auth-roles")).toBe(true);
    expect(answer.headers.get("x-auth-roles")).toBe("");
  });

  test("V-02 asks the session's row each time: who is signed out, disabled or a stranger gets the envelope with 401", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    expectRefusal(await browser().get(verify), 401, "unauthorized", "unauthorized");
    expectRefusal(await browserWith(target.url, { access: "x" }).get(verify), 401, "unauthorized", "unauthorized");
    await ada.client.post(auth("logout"));
    expect((await browserWith(target.url, secrets).get(verify)).status).toBe(401);
    const grace = await people.register("grace");
    expect((await grace.client.get(verify)).status).toBe(204);
    rows.run("update users set active = 0 where id = ?", grace.id);
    const refused = await grace.client.get(verify);
    expect({ status: refused.status, cookies: refused.setCookies, told: told(refused) }).toEqual({
      status: 401,
      cookies: [],
      told: {},
    });
  });

  test("V-02 brings a new access cookie where the refresh cookie alone served, and never rotates", async () => {
    const ada = await people.register("ada");
    const { refresh } = secretsOf(ada.client);
    const answer = await browserWith(target.url, { refresh }).get(verify);
    expect(answer.status).toBe(204);
    expect(answer.setCookies.map(({ name }) => name)).toEqual(["auth_access"]);
    expect(answer.headers.get("x-auth-user-id")).toBe(ada.id);
    const { value } = answer.setCookies[0] ?? {};
    expect((await browserWith(target.url, value === undefined ? {} : { access: value }).get(verify)).status).toBe(204);
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
  });

  test("V-03 what the client itself sends under these names means nothing", async () => {
    const ada = await people.register("ada");
    const headers = { "x-auth-user-id": "1", "x-auth-roles": "admin", "x-auth-email-verified": "true" };
    expect((await browser().get(verify, { headers })).status).toBe(401);
    expect((await ada.client.get(`${verify}?role=admin`, { headers })).status).toBe(403);
    expect((await ada.client.get(verify, { headers })).headers.get("x-auth-roles")).toBe("");
  });

  test("V-03 the cross-site check of another app's request is not made here: proxies ask by GET, whatever was asked of them", async () => {
    const ada = await people.register("ada");
    const headers = { "x-forwarded-method": "POST", origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await ada.client.get(verify, { headers })).status).toBe(204);
    const posted = await ada.client.post(verify, {});
    expect({ status: posted.status, allow: posted.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  });
});

describe("what a proxy may ask beyond that", () => {
  test("V-05 a role: 403 without it, and with the next request after it was taken", async () => {
    const ada = await people.register("ada");
    expectRefusal(await ada.client.get(`${verify}?role=admin`), 403, "forbidden", "forbidden");
    give(ada, "administrator editor");
    expect((await ada.client.get(`${verify}?role=admin`)).status).toBe(403);
    give(ada, "admin editor");
    expect((await ada.client.get(`${verify}?role=admin`)).status).toBe(204);
    give(ada, "editor");
    expect((await ada.client.get(`${verify}?role=admin`)).status).toBe(403);
    expectRefusal(await browser().get(`${verify}?role=admin`), 401, "unauthorized", "unauthorized");
  });

  test("V-05 a verified address, and a proof that is not too old: 401, for a proxy sends that to sign in", async () => {
    const ada = await people.register("ada");
    expectRefusal(await ada.client.get(`${verify}?verified=true`), 403, "email not verified", "email_not_verified");
    rows.prove(ada);
    expect((await ada.client.get(`${verify}?verified=true&max_age=600`)).status).toBe(204);
    rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 11 * minute, ada.id);
    const [error, code] = ["reauthentication required", "reauthentication_required"] as const;
    expectRefusal(await ada.client.get(`${verify}?verified=true&max_age=600`), 401, error, code);
    expect((await ada.client.get(`${verify}?max_age=3600`)).status).toBe(204);
    await ada.client.post(auth("reauthenticate"), { current_password: ada.password });
    expect((await ada.client.get(`${verify}?max_age=600`)).status).toBe(204);
    // 0 is now: just long enough to be led back from the sign-in.
    expect((await ada.client.get(`${verify}?max_age=0`)).status).toBe(204);
    rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 5 * second, ada.id);
    expectRefusal(await ada.client.get(`${verify}?max_age=0`), 401, error, code);
    rows.run("update auth_sessions set proved_at = proved_at + ? where user_id = ?", hour, ada.id);
    expectRefusal(await ada.client.get(`${verify}?max_age=600`), 401, error, code);
    expectRefusal(await ada.client.get(`${verify}?max_age=0`), 401, error, code);
  });

  test.each([
    "role=",
    "role=Admin",
    "role=admin,editor",
    "role=admin&role=editor",
    "role=admin&role=admin",
    "roles=admin",
    "Role=admin",
    "role%00=admin",
    "verified=false",
    "verified=1",
    "verified",
    "max_age=",
    "max_age=-1",
    "max_age=1e9",
    "max_age=9999999999",
    "max_age=600&max_age=86400",
    "max_age[]=600",
    "redirect=https://evil.example",
    "next=/account",
    "=",
    "__proto__=x",
  ])("V-05 ?%s is refused rather than passed over", async (query) => {
    const ada = await people.register("ada");
    give(ada, "admin editor");
    expectRefusal(await ada.client.get(`${verify}?${query}`), 400, "invalid payload", "invalid_payload");
  });
});

describe("redirect=login", () => {
  const navigation = { accept: "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate" };
  const asked = (uri: string, host = "app.example.test", proto = "https") => ({
    "x-forwarded-proto": proto,
    "x-forwarded-host": host,
    "x-forwarded-uri": uri,
    "x-forwarded-for": "203.0.113.7",
  });
  const leads = async (headers: Record<string, string>, url = target.url) => {
    const answer = await createClient(url).get(`${verify}?redirect=login`, { headers: { ...navigation, ...headers } });
    return answer.status === 302 ? answer.headers.get("location") : answer.status;
  };
  const signIn = (next: string) => `https://auth.example.test/login?next=${encodeURIComponent(next)}`;

  test("V-06 sends a navigation to sign in, and back to where it was on its way", async () => {
    const page = "/reports?month=2026-01&q=a%20b";
    expect(await leads(asked(page))).toBe(signIn(`${app}${page}`));
    expect(await leads({ "x-original-url": `${app}${page}` })).toBe(signIn(`${app}${page}`));
    expect(await leads({ ...asked(page), "x-original-url": `${app}${page}` })).toBe(signIn(`${app}${page}`));
    expect(await leads(asked("/account", "auth.example.test"))).toBe(signIn("/account"));
    const ada = await people.register("ada");
    const answer = await ada.client.get(`${verify}?redirect=login`, { headers: { ...navigation, ...asked(page) } });
    expect(answer.status).toBe(204);
  });

  test("V-06 sends a signed-in person whose proof is too old to give another one, and nobody who lacks a role", async () => {
    const ada = await people.register("ada");
    rows.run("update auth_sessions set proved_at = 1 where user_id = ?", ada.id);
    const ask = (query: string) =>
      ada.client.get(`${verify}?redirect=login&${query}`, { headers: { ...navigation, ...asked("/pay") } });
    const aged = await ask("max_age=600");
    expect(aged.status).toBe(302);
    expect(aged.headers.get("location")).toBe(`${signIn(`${app}/pay`)}&reauthenticate=true`);
    expect((await ask("role=admin")).status).toBe(403);
  });

  test("V-06 answers anything but a navigation as ever, since nobody would see the page", async () => {
    expect(await leads({ ...asked("/"), accept: "application/json" })).toBe(401);
    expect(await leads({ ...asked("/"), "sec-fetch-mode": "cors" })).toBe(401);
    expect(await leads({ ...asked("/"), "x-forwarded-method": "POST" })).toBe(401);
  });

  test("V-06 believes only a trusted proxy, and only one story", async () => {
    const untrusting = await startTarget({
      roles: ["http"],
      env: { AUTH_ALLOWED_ORIGINS: app, APP_URL: "https://auth.example.test" },
    });
    try {
      expect(await leads(asked("/"), untrusting.url)).toBe(401);
    } finally {
      await untrusting.stop();
    }
    expect(await leads({})).toBe(401);
    expect(await leads({ ...asked("/a"), "x-original-url": `${app}/b` })).toBe(401);
  });

  test.each([
    ["/", "evil.example", "https"],
    ["/", "app.example.test.evil.example", "https"],
    ["/", "app.example.test@evil.example", "https"],
    ["/", "evil.example, app.example.test", "https"],
    ["/", "app.example.test", "http"],
    ["/", "app.example.test", "javascript"],
    [".evil.example/", "app.example.test", "https"],
    ["@evil.example/", "app.example.test", "https"],
    ["//evil.example/", "app.example.test", "https"],
    ["/\\evil.example", "app.example.test", "https"],
    [`/${"x".repeat(4_000)}`, "app.example.test", "https"],
  ])("V-06 never leads to %s of %s over %s", async (uri, host, proto) => {
    expect(await leads(asked(uri, host, proto))).toBe(401);
  });
});
