import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { controlOf } from "../../support/maintenance.ts";
import { stage } from "../../support/stage.ts";

const origin = "https://app.example.test";
const { target, people, browser } = await stage({
  env: {
    APP_URL: "https://auth.example.test",
    AUTH_ALLOWED_ORIGINS: "HTTPS://App.Example.test:443, http://localhost:5173",
    AUTH_IP_RATE_LIMIT_ATTEMPTS: "20",
    AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
    AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
    LIGHTHOUSE_SECRET: "the secret of the operators of this test",
  },
});

const json = { "content-type": "application/json" };
const fromPage = { origin, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" };

const preflight = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  browser().request("OPTIONS", path, undefined, {
    headers: { origin, "access-control-request-method": "POST", ...headers },
  });

const corsOf = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

const readable = {
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "X-Request-Id, Retry-After",
};

/** Origins that look like the listed one but differ from it. */
const others = [
  "null",
  "http://app.example.test",
  "https://app.example.test:8443",
  "https://app.example.test:443",
  "https://app.example.test.",
  "https://APP.example.test",
  "https://app.example.test/",
  "https://evil.app.example.test",
  "https://example.test",
  "https://app.example.test.evil.test",
  "https://evil-app.example.test",
  "https://ada@app.example.test",
  "https://app.example.test, https://evil.test",
  "https://app.example.test https://evil.test",
  "http://localhost",
  "http://127.0.0.1:5173",
  "",
];

describe("X-75 a page of a listed origin", () => {
  test("asks by a preflight, and hears the methods of that very path", async () => {
    const answer = await preflight(auth("login"), { "access-control-request-headers": "content-type" });
    expect(answer.status).toBe(204);
    expect(corsOf(answer)).toEqual({
      ...readable,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "Content-Type, Authorization, X-Request-Id",
      "access-control-max-age": "7200",
    });
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(corsOf(await preflight(auth("me")))).toMatchObject({ "access-control-allow-methods": "GET, HEAD" });
    const parameter = await preflight(`${auth("sessions")}/0/revoke/`);
    expect(corsOf(parameter)).toMatchObject({ "access-control-allow-methods": "POST" });
    expect((await preflight(auth("login"), { origin: "http://localhost:5173" })).status).toBe(204);
  });

  test("registers, reads and logs out with the browser's cookies", async () => {
    const page = browser();
    const fields = { email: "ada@example.test", password: "a long walk by the sea" };
    const registered = await page.post(auth("register"), fields, { headers: fromPage });
    expect(registered.status).toBe(200);
    expect(corsOf(registered)).toEqual(readable);
    const me = await page.get(auth("me"), { headers: fromPage });
    expect([me.status, me.at("user.email")]).toEqual([200, "ada@example.test"]);
    expect(corsOf(me)).toEqual(readable);
    expect(
      (await page.post(auth("logout"), {}, { headers: { ...fromPage, "sec-fetch-site": "cross-site" } })).status,
    ).toBe(200);
  });

  test("can read every refusal", async () => {
    const refusals: readonly (readonly [number, Answer])[] = [
      [401, await browser().get(auth("me"), { headers: fromPage })],
      [401, await browser().post(auth("login"), { login: "ada", password: "wrong" }, { headers: fromPage })],
      [400, await browser().post(auth("login"), undefined, { headers: { ...fromPage, ...json }, body: "{" })],
      [404, await browser().get("/api/v1/nowhere", { headers: fromPage })],
      [405, await browser().post(auth("me"), {}, { headers: fromPage })],
      [413, await browser().post(auth("login"), { login: "a".repeat(70_000) }, { headers: fromPage })],
    ];
    expect(refusals.map(([, { status }]) => status)).toEqual(refusals.map(([status]) => status));
    for (const [, answer] of refusals) {
      expect(corsOf(answer)).toEqual(readable);
      expect(answer.headers.get("vary")).toBe("Origin");
    }
    let limited: Answer;
    do limited = await browser().post(auth("password-reset/request"), { login: "nobody" }, { headers: fromPage });
    while (limited.status === 200);
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).not.toBeNull();
    expect(corsOf(limited)).toEqual(readable);
  });

  test("can read that there is maintenance, after its preflight", async () => {
    const control = controlOf(target);
    await control.enable();
    try {
      expect((await preflight(auth("login"))).status).toBe(204);
      const answer = await browser().post(auth("login"), {}, { headers: fromPage });
      expect([answer.status, answer.at("code")]).toEqual([503, "maintenance"]);
      expect(corsOf(answer)).toEqual(readable);
      expect(answer.headers.get("vary")).toBe("Accept, Origin");
    } finally {
      await control.disable();
    }
  });
});

describe("X-75 any other origin", () => {
  test.each(others)("%p gets nothing, and changes nothing", async (other) => {
    const { client } = await people.register("grace", {});
    const read = await client.get(auth("me"), { headers: { origin: other } });
    expect(corsOf(read)).toEqual({});
    expect(read.headers.get("vary")).toBe("Origin");
    const asked = await preflight(auth("logout"), { origin: other });
    expect([asked.status, corsOf(asked)]).toEqual([405, {}]);
    const posted = await client.post(auth("logout"), {}, { headers: { origin: other, "sec-fetch-site": "same-site" } });
    expect([posted.status, posted.at("code")]).toEqual([403, "cross_site_request"]);
    expect([corsOf(posted), posted.setCookies]).toEqual([{}, []]);
  });

  test("a client without an origin is told that the answer depends on it", async () => {
    const answer = await browser().get(auth("me"));
    expect(corsOf(answer)).toEqual({});
    expect(answer.headers.get("vary")).toBe("Origin");
  });
});

describe("X-76 a listed origin changes something by JSON alone", () => {
  test.each([
    ["text/plain", '{"login":"ada","password":"a walk"}'],
    ["text/plain; application/json", '{"login":"ada","password":"a walk"}'],
    ["application/x-www-form-urlencoded", "login=ada&password=a+walk"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["application/json-seq", "{}"],
    ["application/json, text/plain", "{}"],
    ["", ""],
  ])("%p is refused", async (type, body) => {
    const headers = { ...fromPage, "content-type": type };
    const answer = await browser().post(auth("login"), undefined, { headers, body });
    expect([answer.status, answer.at("code")]).toEqual([403, "cross_site_request"]);
    expect(answer.at("detail")).toBe("A page of another origin needs Content-Type: application/json.");
    // The page may read the reason: its origin is on the list.
    expect(corsOf(answer)).toEqual(readable);
  });

  test("a body that is said to be JSON passes, with parameters too", async () => {
    const headers = { ...fromPage, "content-type": "Application/JSON; charset=utf-8" };
    const answer = await browser().post(auth("login"), undefined, { headers, body: "{}" });
    expect(answer.at("code")).toBe("invalid_payload");
  });
});

describe("X-77 what browsers navigate to, and what is for operators, stays closed to listed origins", () => {
  test.each([
    "/api/v1/auth/oauth/github/start",
    "/api/v1/auth/oauth/github/link/start",
    "/api/v1/auth/oauth/github/callback",
    "/-/health",
    "/-/maintenance/enable",
    "/metrics",
    "/lighthouse",
    "/lighthouse/sign-in",
    "/lighthouse/api/inspects",
    "/apiary",
    "/",
  ])("%s", async (path) => {
    for (const answer of [await preflight(path), await browser().get(path, { headers: fromPage })]) {
      expect(corsOf(answer)).toEqual({});
      expect(answer.status).not.toBe(204);
    }
    const posted = await browser().post(path, {}, { headers: fromPage });
    expect(posted.status).toBe(403);
    expect(corsOf(posted)).toEqual({});
  });

  test("the form that a callback takes from any page has no answer for a script", async () => {
    const headers = { ...fromPage, "content-type": "application/x-www-form-urlencoded" };
    const answer = await browser().post("/api/v1/auth/oauth/github/callback", undefined, { headers, body: "state=x" });
    expect(corsOf(answer)).toEqual({});
  });

  test("linking can't be started by a link on a listed page", async () => {
    const { client } = await people.register("lin", {});
    const answer = await client.get("/api/v1/auth/oauth/github/link/start", {
      headers: { ...fromPage, "sec-fetch-mode": "navigate" },
    });
    expect([answer.status, answer.at("code")]).toEqual([403, "cross_site_request"]);
  });
});
