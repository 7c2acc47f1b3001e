import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isPersonal, paths } from "../../src/account/shared/settings.ts";
import { auth, calm, createPeople, secretsOf, type Person } from "../support/auth.ts";
import { replaceEach, startProxyWith, whyNoProxy, type Places, type Proxy } from "../support/proxy.ts";
import { spellingsOf } from "../support/raw.targets.ts";
import { openRows, type Rows } from "../support/rows.ts";
import { startTarget, type Target } from "../support/target.ts";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import {
  ask,
  example,
  headerOf,
  navigation,
  nginxAsking,
  nginxOneHost,
  settingsOf,
  signIn,
  startApp,
  told,
  type Arrived,
} from "./examples.fixture.ts";

// The tests run the proxies of the manual's examples, each in front of Gatehouse and of an app that shows the bytes that reach it. Ports,
// and the paths of certificates, are those of this run; everything else is what a reader copies.
const app = startApp();
let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
let services: ReturnType<typeof serviceKit>;
beforeAll(async () => {
  target = await startTarget({
    env: { ...calm, ...settingsOf("One host with nginx"), AUTH_TOKEN_CLAIMS: "roles", ORGANIZATIONS_ENABLED: "true" },
    shared: true,
  });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
  services = serviceKit(target);
});
afterAll(async () => {
  rows.close();
  await target.stop();
  app.stop();
});

function cookieOf({ client }: Person): string {
  const { access, refresh } = secretsOf(client);
  return `auth_access=${access}; auth_refresh=${refresh}`;
}
const refreshCookieOf = ({ client }: Person) => `auth_refresh=${secretsOf(client).refresh}`;
const give = ({ id }: Person, roles: string): void =>
  void rows.run("update users set roles = ? where id = ?", roles, id);

const caddySite = ({ folder, port, plainPort }: Places): string => `
{
  admin off
  auto_https disable_redirects
  https_port ${port}
  http_port ${plainPort}
}
${replaceEach(example("Caddy", "caddyfile").replaceAll("# copy_headers", "copy_headers"), [
  ["app.example.com {\n", `app.example.com {\n  bind 127.0.0.1\n  tls ${folder}/chain.pem ${folder}/key.pem\n`],
  ["reverse_proxy 127.0.0.1:3000", `reverse_proxy 127.0.0.1:${target.port}`],
  ["forward_auth /admin* 127.0.0.1:3000", `forward_auth /admin* 127.0.0.1:${target.port}`],
  ["forward_auth 127.0.0.1:3000", `forward_auth 127.0.0.1:${target.port}`],
  ["reverse_proxy 127.0.0.1:8080", `reverse_proxy 127.0.0.1:${app.port}`],
])}`;

/** Returns every path that one program or another may read in a target. */
function readingsOf(target: string): string[] {
  const path = target.split(/[?#]/)[0] ?? "";
  const readings = new Set([path]);
  for (const reading of readings) {
    if (readings.size > 500) throw new Error(`no end of readings of ${target}`);
    readings.add(reading.replaceAll("\\", "/"));
    readings.add(reading.replaceAll(/\/{2,}/g, "/"));
    readings.add(reading.replaceAll(/;[^/]*/g, ""));
    readings.add(reading.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))));
    readings.add(URL.parse(reading, "http://app")?.pathname ?? reading);
  }
  return [...readings];
}
const readsAsAdmin = ({ target: sent }: Arrived): boolean =>
  readingsOf(sent).some((reading) => /^\/admin/i.test(reading));

/** Runs tests of a proxy with the configuration of an example. The tests get the port at which the proxy speaks TLS once it does. */
function behind(
  name: "nginx" | "caddy",
  heading: string,
  configure: (places: Places) => string,
  ...tests: readonly ((port: () => number) => void)[]
): void {
  const lack = whyNoProxy(name);
  describe.skipIf(lack !== undefined)(lack === undefined ? heading : `${heading} (needs ${lack})`, () => {
    let proxy: Proxy;
    beforeAll(async () => {
      proxy = await startProxyWith(name, configure);
    });
    afterAll(() => proxy?.stop());
    for (const each of tests) each(() => proxy.port);
  });
}

/** Defines the tests for every proxy on whose host Gatehouse and the app both are. */
function sharesOneHost(port: () => number): void {
  test("E-01 the pages and routes of Gatehouse are on the host of the app, and what is not for strangers is not", async () => {
    for (const path of paths.filter((path) => !isPersonal(path)))
      expect({ path, status: (await ask(port(), path, { headers: navigation })).status }).toEqual({
        path,
        status: 200,
      });
    const [, asset = ""] = /"(\/account\/assets\/[^"]+\.js)"/.exec((await ask(port(), "/login")).body) ?? [];
    expect((await ask(port(), asset)).status).toBe(200);
    for (const path of paths.filter(isPersonal)) expect((await ask(port(), path)).location).toContain("/login");
    expect((await ask(port(), "/.well-known/change-password")).location).toContain("/account");
    expect((await ask(port(), auth("me"))).status).toBe(401);
    const ada = await people.register("ada");
    expect((await ask(port(), auth("me"), { cookie: cookieOf(ada) })).body).toContain(ada.email);
    const secret = await services.create(`behind-${port()}`);
    const token = `token=${secretsOf(ada.client).access}`;
    const headers = {
      Authorization: `Bearer ${secret}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(token.length),
    };
    for (const path of ["/api/v1/auth/introspect", "/api/v1/auth/introspect/", "/api/v1/auth//introspect"])
      expect((await ask(port(), path, { method: "POST", headers, body: token })).body).not.toContain('"active"');
  });

  test("E-01 nobody signs in from an address that they made up", async () => {
    const ada = await people.register("ada");
    const body = JSON.stringify({ login: ada.email, password: ada.password });
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      "X-Forwarded-For": "203.0.113.7",
      "X-Forwarded-Proto": "http",
    };
    const { status, setCookies } = await ask(port(), auth("login"), { method: "POST", headers, body });
    expect(status).toBe(200);
    expect(setCookies.filter((cookie) => !cookie.includes("; Secure"))).toEqual([]);
    const addresses = rows.all("select distinct ip_address from auth_sessions where user_id = ?", ada.id);
    expect(addresses).toEqual([{ ip_address: "127.0.0.1" }]);
  });

  test("E-01 no spelling of a path reaches what Gatehouse keeps for its host", async () => {
    const reached: string[] = [];
    for (const path of ["/metrics", "/-/health", "/lighthouse/sign-in"])
      for (const raw of spellingsOf(path)) {
        const { body } = await ask(port(), raw);
        if (/http_requests_total|"status":"ok"|lighthouse\/assets/.test(body)) reached.push(raw);
      }
    expect(reached).toEqual([]);
  });
}

/** Defines the tests for every proxy that asks Gatehouse who is calling. */
function asksWhoIsCalling(port: () => number): void {
  test("E-02 a stranger reaches nothing of the app: a script gets 401, a page leads to sign in and back", async () => {
    app.take();
    expect((await ask(port(), "/reports")).status).toBe(401);
    const target = "/reports?month=2026-01&q=a%20b";
    expect(await ask(port(), target, { headers: navigation })).toMatchObject({ status: 302, location: signIn(target) });
    for (const cookie of ["auth_access=x; auth_refresh=y", "auth_access="])
      expect((await ask(port(), "/reports", { cookie })).status).toBe(401);
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await ask(port(), "/reports", { method, headers: { "Content-Length": "0" } })).status).toBe(401);
    // Headers of the client can't change where it is led.
    for (const headers of [{ Host: "evil.example" }, { "X-Original-URL": "https://evil.example/" }]) {
      const { location } = await ask(port(), "/", { headers: { ...navigation, ...headers } });
      expect(location).not.toContain("evil");
    }
    for (const name of ["Host", "Proto", "Uri"]) {
      const headers = { ...navigation, [`X-Forwarded-${name}`]: "evil.example" };
      expect((await ask(port(), "/", { headers })).location).not.toContain("evil");
    }
    expect(app.take()).toEqual([]);
  });

  test("E-02 the app is told who it is, and never what the client writes under those names", async () => {
    const ada = await people.register("ada");
    give(ada, "editor");
    const forged = told.flatMap((name) => [
      [name, "forged"],
      [name.toLowerCase().replaceAll("-", "_"), "forged"],
      [name.replace("X-", "X_"), "forged"],
      [name.replace("Auth-", "Auth_"), "forged"],
      [name.replace(/-(?=\w+$)/, "_"), "forged"],
    ]);
    app.take();
    const answer = await ask(port(), "/reports", {
      method: "POST",
      cookie: cookieOf(ada),
      headers: { ...Object.fromEntries(forged), "Content-Length": "0" },
    });
    expect(answer).toMatchObject({ status: 200, body: "the app" });
    const [arrived, ...others] = app.take();
    if (arrived === undefined) throw new Error("nothing arrived");
    expect(others).toEqual([]);
    expect(arrived).toMatchObject({ method: "POST", target: "/reports" });
    expect(told.map((name) => headerOf(arrived, name))).toEqual([
      ada.id,
      ada.username,
      ada.email,
      "false",
      "editor",
      String((await ada.client.get(auth("sessions"))).at("sessions.0.id")),
      "aal1",
      expect.stringMatching(/^\d+$/),
      Buffer.from(JSON.stringify({ roles: ["editor"] })).toString("base64url"),
      "",
      "",
      "",
    ]);
    // An empty value, too, leaves no room for the client's.
    give(ada, "");
    await ask(port(), "/reports", {
      cookie: cookieOf(ada),
      headers: { "X-Auth-Roles": "admin", X_Auth_Roles: "admin" },
    });
    expect(app.take().map((each) => headerOf(each, "X-Auth-Roles"))).toEqual([""]);
  });

  test("E-02 a session that was ended and a disabled account are refused with the next request", async () => {
    const ada = await people.register("ada");
    const cookie = cookieOf(ada);
    for (let round = 0; round < 3; round += 1) expect((await ask(port(), "/", { cookie })).status).toBe(200);
    await ada.client.post(auth("logout"));
    expect((await ask(port(), "/", { cookie })).status).toBe(401);
    const grace = await people.register("grace");
    expect((await ask(port(), "/", { cookie: cookieOf(grace) })).status).toBe(200);
    rows.run("update users set active = 0 where id = ?", grace.id);
    expect((await ask(port(), "/", { cookie: cookieOf(grace) })).status).toBe(401);
    rows.run("update users set active = 1 where id = ?", grace.id);
    rows.run("update auth_sessions set expires_at = 1 where user_id = ?", grace.id);
    expect((await ask(port(), "/", { cookie: cookieOf(grace) })).status).toBe(401);
  });

  test("E-02 a new access cookie is handed on to the browser, beside those of the app", async () => {
    const ada = await people.register("ada");
    const { status, setCookies } = await ask(port(), "/", { cookie: refreshCookieOf(ada) });
    expect(status).toBe(200);
    expect(setCookies.map((cookie) => cookie.split("=")[0]).toSorted()).toEqual(["auth_access", "of-the-app"]);
    const [reissued = ""] = setCookies.filter((cookie) => cookie.startsWith("auth_access="));
    expect(reissued).toContain("HttpOnly");
    expect((await ask(port(), "/", { cookie: reissued.split(";")[0] ?? "" })).status).toBe(200);
    expect((await ask(port(), "/", { cookie: cookieOf(ada) })).setCookies).toEqual(["of-the-app=1"]);
    const handedToTheApp = app.take().flatMap(({ headers }) => headers);
    expect(handedToTheApp.filter(([, value]) => value.includes("HttpOnly"))).toEqual([]);
  });

  test("E-03 a role that is asked for is asked for under every spelling of the path", async () => {
    const ada = await people.register("ada");
    const cookie = cookieOf(ada);
    expect((await ask(port(), "/admin/people", { cookie })).status).toBe(403);
    expect((await ask(port(), "/admin/people")).status).toBe(401);
    expect((await ask(port(), "/admin/people", { headers: navigation })).location).toBe(signIn("/admin/people"));
    app.take();
    for (const path of ["/admin", "/admin/people"])
      for (const raw of spellingsOf(path)) await ask(port(), raw, { cookie });
    const arrived = app.take();
    expect(arrived.filter(readsAsAdmin).map(({ target: sent }) => sent)).toEqual([]);
    give(ada, "administrator editor");
    expect((await ask(port(), "/admin/people?role=editor", { cookie })).status).toBe(403);
    give(ada, "admin");
    expect((await ask(port(), "/admin/people", { cookie })).status).toBe(200);
    expect(app.take().map((each) => headerOf(each, "X-Auth-Roles"))).toEqual(["admin"]);
    give(ada, "");
    expect((await ask(port(), "/admin/people", { cookie })).status).toBe(403);
  });
}

/** Defines the tests for a proxy whose app asks by itself. */
function leavesTheAppToAsk(port: () => number): void {
  test("E-01 the app gets everything else, with the cookies, and asks by itself", async () => {
    const ada = await people.register("ada");
    app.take();
    expect((await ask(port(), "/reports", { cookie: cookieOf(ada) })).body).toBe("the app");
    await ask(port(), "/", { headers: { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "http" } });
    const names = ["Cookie", "X-Forwarded-For", "X-Forwarded-Proto"];
    expect(app.take().map((each) => names.map((name) => headerOf(each, name)))).toEqual([
      [cookieOf(ada), "127.0.0.1", "https"],
      ["", "127.0.0.1", "https"],
    ]);
  });
}

const ports = () => ({ gatehouse: target.port, app: app.port });
const oneHost = (places: Places): string => nginxOneHost(places, ports());
const asking = (places: Places): string => nginxAsking(places, ports());

behind("nginx", "one host with nginx", oneHost, sharesOneHost, leavesTheAppToAsk);
behind("nginx", "nginx asks who is calling", asking, sharesOneHost, asksWhoIsCalling);
behind("caddy", "Caddy", caddySite, sharesOneHost, asksWhoIsCalling);
