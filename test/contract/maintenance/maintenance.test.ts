import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { untilLogged } from "../../support/log.ts";
import { connect } from "node:net";
import { commonStyle, entryStyle } from "../../../src/http/pages/style/assets.ts";
import { auth, createPeople, refreshes, secretsOf } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { controlOf, isOpen } from "../../support/maintenance.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { eventsOf, readAudit, telling } from "../audit/audit.fixture.ts";
import { exchange } from "../../unit/http/site.ts";

let target: Target;
beforeEach(async () => {
  target = await startTarget({
    roles: ["http"],
    env: {
      API_DOCS_ENABLED: "true",
      APP_MAINTENANCE_RETRY_AFTER: "90s",
      AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000",
      LIGHTHOUSE_SECRET: "",
    },
  });
});
afterEach(() => target.stop());

const ask = (path: string, accept?: string, method = "GET") =>
  createClient(target.url).request(method, path, undefined, accept === undefined ? {} : { headers: { accept } });
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

describe("the application during maintenance", () => {
  test("is 503 for every path and method, with the headers of a passing state", async () => {
    await controlOf(target).enable();
    for (const path of ["/", "/api", "/api/v1/hello", "/api/none", "/none", "/openapi", "/metricsx", "/-"]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
        const { status, headers, setCookies } = await ask(path, undefined, method);
        expect({ path, method, status, setCookies }).toEqual({ path, method, status: 503, setCookies: [] });
        expect(headers.get("retry-after")).toBe("90");
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("vary")).toBe("Accept");
        expect(headers.get("x-robots-tag")).toBe("noindex");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("x-request-id")).not.toBeNull();
      }
    }
  });

  test("is not reached by a target that looks like a probe's", async () => {
    await controlOf(target).enable();
    const wanted = "/api/v1/hello";
    const targets = [
      ["a", `/-/..${wanted}`],
      ["a", `/-/%2e%2e${wanted}`],
      ["a", `/-/health/../..${wanted}`],
      ["a", `//-/..${wanted}`],
      ["a", `/-\\..${wanted}`],
      ["a", `http://b/-/..${wanted}`],
      ["a/-/", wanted],
      ["a/-/x", wanted],
      ["abcdefgh/-/", wanted],
      ["a?/-/", wanted],
      ["a#/-/", wanted],
      ["", `/-/..${wanted}`],
      [undefined, `/-/..${wanted}`],
      [undefined, `/-/%2E./${wanted}`],
      [undefined, `//-/..${wanted}`],
    ] as const;
    for (const [host, path] of targets) {
      for (const method of ["GET", "HEAD"]) {
        const version = host === undefined ? "HTTP/1.0" : `HTTP/1.1\r\nHost: ${host}`;
        const answer = await exchange(target.port, `${method} ${path} ${version}\r\nConnection: close\r\n\r\n`);
        // The route itself answers a stranger with 401.
        expect({ host, path, answer }).toEqual({
          host,
          path,
          answer: expect.stringMatching(/^HTTP\/1\.1 (?:4(?!01)|503)/),
        });
      }
    }
  });

  test.each([
    ["/api/v1/hello", browser],
    ["/api", undefined],
    ["/login", "application/json"],
    ["/login", "application/json, text/plain, */*"],
    ["/login", "text/html;q=0.5, application/json"],
    ["/login", "text/html, application/json"],
  ])("is JSON for %s with Accept %s", async (path, accept) => {
    await controlOf(target).enable();
    const { json, headers } = await ask(path, accept);
    expect(json).toEqual({
      ok: false,
      error: "service unavailable",
      code: "maintenance",
      request_id: headers.get("x-request-id"),
      maintenance: true,
    });
  });

  test.each([browser, undefined, "*/*", "text/html, application/json;q=0.9", "application/json;q=0", "text/html"])(
    "X-02 is a page that loads nothing for Accept %s",
    async (accept) => {
      await controlOf(target).enable();
      const { text, headers } = await ask("/login", accept);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
      expect(style).toBe(`${commonStyle}${entryStyle}`);
      const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain(`style-src 'sha256-${hash}'`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(text).not.toMatch(/<script|https?:|url\(|@import|\ssrc=|\sstyle=/i);
      expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
        expect.stringMatching(/^data:image\/svg\+xml;base64,/),
        "/",
      ]);
      expect(text).toContain("prefers-color-scheme: dark");
    },
  );

  test("HEAD has the headers of GET and no body", async () => {
    await controlOf(target).enable();
    for (const path of ["/", "/api/v1/hello"]) {
      const got = await exchange(target.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const head = await exchange(target.port, `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(head).toStartWith("HTTP/1.1 503");
      expect(head).toEndWith("\r\n\r\n");
      const length = /content-length: \d+/i;
      expect(length.exec(head)?.[0].toLowerCase()).toBe(length.exec(got)?.[0].toLowerCase() ?? "");
    }
  });

  test("probes and the control stay up, and what is absent beside them stays absent", async () => {
    await controlOf(target).enable();
    expect((await ask("/-/health")).status).toBe(200);
    expect((await ask("/-/ready")).status).toBe(200);
    expect((await controlOf(target).status()).json).toMatchObject({ ok: true, maintenance: true, reason: "command" });
    expect((await ask("/metrics")).status).toBe(200);
    for (const path of ["/-/none", "/lighthouse", "/lighthouse/api/inspects"])
      expect((await ask(path)).status).toBe(404);
  });

  test("an unread body leaves the connection usable", async () => {
    await controlOf(target).enable();
    const post = "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n";
    const last = "GET /-/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const socket = connect(target.port, "127.0.0.1");
    let received = "";
    socket.on("data", (bytes) => (received += bytes.toString("latin1")));
    socket.write(`${post}${"x".repeat(60_000)}${last}`);
    await new Promise((resolve) => socket.once("close", resolve));
    expect(received).toStartWith("HTTP/1.1 503");
    expect(received).toEndWith('{"status":"ok"}');
  });
});

test("login and refresh during maintenance change nothing, and go on after it", async () => {
  const ada = await createPeople(target.url).register("ada");
  const before = secretsOf(ada.client);
  const rows = openRows(target.databasePath);
  const state = () => [
    rows.get("select count(*) as n, max(generation) as g, max(last_seen_at) as seen from auth_sessions"),
    rows.count("auth_attempts"),
    rows.count("users"),
  ];
  const untouched = state();
  await controlOf(target).enable();
  for (const answer of [
    await ada.client.post(auth("login"), { login: ada.email, password: ada.password }),
    await ada.client.post(auth("login"), { login: ada.email, password: "a wrong one" }),
    await ada.client.post(auth("refresh")),
    await ada.client.post(auth("logout")),
    await createClient(target.url).post(auth("register"), { email: "grace@example.test", password: ada.password }),
  ]) {
    expect([answer.status, answer.setCookies, answer.at("code")]).toEqual([503, [], "maintenance"]);
  }
  expect(state()).toEqual(untouched);
  rows.close();
  await controlOf(target).disable();
  expect(secretsOf(ada.client)).toEqual(before);
  expect((await ada.client.get("/api/v1/hello")).status).toBe(200);
  expect(await refreshes(ada.client)).toBe(true);
});

test("a request that was let in before is finished", async () => {
  const ada = await createPeople(target.url).register("ada");
  const body = JSON.stringify({ login: ada.email, password: ada.password });
  const socket = connect(target.port, "127.0.0.1");
  let received = "";
  socket.on("data", (bytes) => (received += bytes.toString("latin1")));
  const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}`;
  await new Promise<void>((resolve) => {
    socket.write(`POST ${auth("login")} HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, 5)}`, () => resolve());
  });
  // Later requests on other connections have been answered, so this one must have been taken in.
  for (let n = 0; n < 3; n += 1) await ask("/-/health");
  await controlOf(target).enable();
  expect(await isOpen(target)).toBe(false);
  socket.write(body.slice(5));
  await new Promise((resolve) => socket.once("close", resolve));
  expect(received).toStartWith("HTTP/1.1 200");
  expect(received).toContain("auth_refresh=");
});

test("enable and disable answer with what then holds, as often as they are called", async () => {
  const { enable, disable, status } = controlOf(target);
  expect((await status()).json).toEqual({ ok: true, maintenance: false, driver: "memory" });
  for (const [call, on] of [
    [enable, true],
    [enable, true],
    [disable, false],
    [disable, false],
    [enable, true],
  ] as const) {
    const answer = await call();
    expect([answer.status, answer.json]).toEqual([200, { ok: true, maintenance: on }]);
    expect(await isOpen(target)).toBe(!on);
  }
});

test("each switch leaves an audit row by an operator and an event; what changes nothing leaves none", async () => {
  const told = await startTarget({ roles: ["http"], env: telling });
  const { enable, disable } = controlOf(told);
  for (const call of [disable, enable, enable, disable, disable]) await call();
  using opened = openRows(told.databasePath);
  const audit = readAudit(opened);
  const rows = audit.all("action like 'maintenance.%'");
  const by = { app: "app", actor: "operator", outcome: "success", subject_user_id: null, address: null };
  expect(rows).toMatchObject([
    { ...by, action: "maintenance.enabled" },
    { ...by, action: "maintenance.disabled" },
  ]);
  expect(await eventsOf(told, rows)).toEqual(["maintenance.enabled", "maintenance.disabled"]);
  await told.stop();
});

test("a switch is made even where the audit log can't be written", async () => {
  const rows = openRows(target.databasePath);
  rows.run("alter table audit_events rename to audit_away");
  rows.close();
  expect((await controlOf(target).enable()).json).toEqual({ ok: true, maintenance: true });
  expect(await isOpen(target)).toBe(false);
  await untilLogged(target, "could not be written to the audit log");
});

test("with the memory driver the state ends with its process", async () => {
  const first = await startTarget({ roles: ["http"], ownProcess: true });
  await controlOf(first).enable();
  const { env } = first;
  await first.kill();
  const second = await startTarget({ roles: ["http"], ownProcess: true, env });
  expect(await isOpen(second)).toBe(true);
  await second.stop();
});

describe("APP_MAINTENANCE_ENABLED", () => {
  test("is on from the start, whatever is stored, and refuses disable", async () => {
    const forced = await startTarget({ roles: ["http"], env: { APP_MAINTENANCE_ENABLED: "true" } });
    const { disable, enable, status } = controlOf(forced);
    expect(await isOpen(forced)).toBe(false);
    expect((await status()).json).toMatchObject({ maintenance: true, reason: "environment" });
    for (const _ of [1, 2]) {
      const refused = await disable();
      expect(refused.status).toBe(409);
      expect(refused.json).toMatchObject({ ok: false, code: "maintenance_forced" });
      expect(await isOpen(forced)).toBe(false);
      expect((await enable()).json).toEqual({ ok: true, maintenance: true });
    }
    await forced.stop();
  });
});
