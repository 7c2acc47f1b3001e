import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { nodeMissing } from "../examples/examples.fixture.ts";
import { auth, secretsOf, type Person } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { stage } from "../support/stage.ts";
import { installPackage, link, npmMissing, startApp, startExample } from "./installed.fixture.ts";
import { startCounted } from "./kits.fixture.ts";

// The apps are those of the manual, as they are printed, with the package that npm has installed.
const missing = npmMissing ?? nodeMissing;
const { target, rows, people } = await stage({ ownProcess: true, env: { ORGANIZATIONS_ENABLED: "true" } });
const folder = sharedFolder();
let [app, appOfExpress4] = ["", ""];
if (missing === undefined)
  beforeAll(async () => {
    app = await installPackage(folder);
    appOfExpress4 = `${app}-4`;
    await cp(app, appOfExpress4, { recursive: true });
    await link(app, "express");
    await link(appOfExpress4, "express", "express4");
    for (const name of ["hono", "@hono/node-server"]) await link(app, name);
  }, 120_000);

const cookieOf = ({ client }: Person): string => {
  const { access, refresh } = secretsOf(client);
  return `theme=dark; auth_access=${access}; auth_refresh=${refresh}`;
};
/** What the browser still has once the access cookie has run out. */
const expiredOf = ({ client }: Person): string => `auth_refresh=${secretsOf(client).refresh}`;
const notCached = "private, no-store";
const page = { accept: "text/html", "sec-fetch-mode": "navigate" };

const servers = [
  { name: "Express 5", heading: "Express", runtime: "node", installed: () => app, hasRoutes: true },
  { name: "Express 4", heading: "Express", runtime: "node", installed: () => appOfExpress4, hasRoutes: true },
  { name: "Hono on Node", heading: "Hono", runtime: "node", installed: () => app, hasRoutes: true },
  {
    name: "the gate on Bun",
    heading: "Any other server",
    runtime: process.execPath,
    installed: () => app,
    hasRoutes: false,
  },
] as const;

describe.skipIf(missing !== undefined)(`an app${missing === undefined ? "" : ` (${missing})`}`, () => {
  describe.each(servers)("with $name", ({ heading, runtime, installed, hasRoutes }) => {
    const way = startCounted(target.url);
    let [url, stop] = ["", (): Promise<void> => Promise.resolve()];
    beforeAll(async () => {
      ({ url, stop } = await startExample(heading, { app: installed(), runtime, gatehouse: way.url }));
    }, 60_000);
    afterAll(() => stop());
    const send = (path: string, cookie: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${url}${path}`, { redirect: "manual", ...init, headers: { cookie, ...init.headers } });
    const post = (cookie: string, headers: Record<string, string> = {}) =>
      send("/orders", cookie, { method: "POST", headers });

    test("knows who has signed in to Gatehouse, and leads others there", async () => {
      const ada = await people.register("ada");
      const served = await send("/orders", cookieOf(ada));
      expect([served.status, await served.json()]).toEqual([200, { of: ada.id }]);
      expect(served.headers.get("cache-control")).toBe(notCached);
      const led = await send("/orders?of=today", "", { headers: page });
      expect([led.status, led.headers.get("location"), led.headers.get("cache-control")]).toEqual([
        303,
        `https://app.example.com/login?next=${encodeURIComponent(`${url}/orders?of=today`)}`,
        notCached,
      ]);
      const refused = await send("/orders", "");
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(await refused.json()).toMatchObject({ ok: false, code: "unauthorized" });
    });

    test("demands a role, which counts as soon as it is given", async () => {
      const ada = await people.register("ada");
      const refused = await post(cookieOf(ada));
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: "forbidden" }]);
      rows.run("update users set roles = 'editor' where id = ?", ada.id);
      expect(await (await post(cookieOf(ada))).json()).toEqual({ by: ada.id });
      expect((await post("")).status).toBe(401);
    });

    const testRoutes = hasRoutes ? test : undefined;
    testRoutes?.("greets strangers, and demands the organization that a path names", async () => {
      expect(await (await send("/", "")).text()).toBe("Hello, stranger!");
      const [ada, grace] = [await people.register("ada"), await people.register("grace")];
      expect(await (await send("/", cookieOf(ada))).text()).toBe(`Hello, ${ada.username}!`);
      const made = await ada.client.post(auth("organizations"), { name: "Engines" });
      const id = made.textAt("organization.id");
      expect((await send(`/organizations/${id}`, cookieOf(ada))).status).toBe(403);
      await ada.client.post(auth("organizations/switch"), { id });
      expect(await (await send(`/organizations/${id}`, cookieOf(ada))).json()).toMatchObject({ id, roles: ["owner"] });
      for (const [path, cookie] of [
        [id, cookieOf(grace)],
        ["engines", cookieOf(ada)],
      ])
        expect((await send(`/organizations/${path}`, cookie ?? "")).status).toBe(403);
    });

    test("Q-01 hands one new cookie on where the old one has run out, and ten requests at once end no session", async () => {
      const ada = await people.register("ada");
      const session = () => rows.get("select generation, revoked_at from auth_sessions where user_id = ?", ada.id);
      const before = session();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send("/orders", expiredOf(ada))));
      for (const answer of answers) {
        expect([answer.status, await answer.json()]).toEqual([200, { of: ada.id }]);
        expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^auth_access=[^;]+; .*HttpOnly/)]);
        expect(answer.headers.get("cache-control")).toBe(notCached);
      }
      expect(session()).toEqual(before);
      const [renewed = ""] = answers[0]?.headers.getSetCookie() ?? [];
      const browser = createClient(target.url);
      browser.setCookie("auth_access", /=([^;]+)/.exec(renewed)?.[1] ?? "");
      expect((await browser.get(auth("me"))).textAt("user.id")).toBe(ada.id);
      expect((await ada.client.post(auth("refresh"))).status).toBe(200);
    });

    test("Q-02 sees a sign-out at the next request", async () => {
      const ada = await people.register("ada");
      const cookie = cookieOf(ada);
      expect((await send("/orders", cookie)).status).toBe(200);
      await ada.client.post(auth("logout"));
      expect((await send("/orders", cookie)).status).toBe(401);
    });

    test("Q-03 lets no page of another site change anything", async () => {
      const ada = await people.register("ada");
      rows.run("update users set roles = 'editor' where id = ?", ada.id);
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
        const refused = await post(cookieOf(ada), headers);
        expect([refused.status, await refused.json()]).toMatchObject([403, { code: "cross_site_request" }]);
      }
      expect((await post(cookieOf(ada), { origin: url, "sec-fetch-site": "same-origin" })).status).toBe(200);
    });

    testRoutes?.("tells Gatehouse the address of the person", async () => {
      const ada = await people.register("ada");
      await send("/orders", cookieOf(ada), { headers: { "x-forwarded-for": "203.0.113.7" } });
      expect(way.last()?.get("x-forwarded-for")).toMatch(/^203\.0\.113\.7, (?:::ffff:)?127\.0\.0\.1$/);
    });

    test("Q-04 lets nobody in without Gatehouse, and says when to come back", async () => {
      const ada = await people.register("ada");
      await way.stop();
      const away = await send("/orders", cookieOf(ada));
      expect([away.status, away.headers.get("retry-after"), await away.json()]).toMatchObject([
        503,
        "5",
        { code: "unavailable" },
      ]);
      expect((await send("/orders", "")).status).toBe(401);
    });
  });

  const mistyped = {
    Express: `import express from "express";
      import { gatehouse, requireUser } from "gatehouse-client/express";
      const app = express();
      app.use(gatehouse({ baseUrl: "http://127.0.0.1:3000" }));
      const open = (req, res) => void res.send("open");
      app.get("/undefined", requireUser({ role: process.env.NO_SUCH_ROLE }), open);
      app.get("/misspelt", requireUser({ rol: "editor" }), open);
      app.get("/no-flag", requireUser({ verified: "true" }), open);
      app.get("/by-request", requireUser((req) => ({ org: req.params.organisation })), open);
      app.get("/promised", requireUser(async () => ({ role: "editor" })), open);
      app.get("/optional", requireUser({ role: "editor", optional: true }), open);
      app.listen(8080, "127.0.0.1");`,
    Hono: `import { serve } from "@hono/node-server";
      import { Hono } from "hono";
      import { gatehouse, requireUser } from "gatehouse-client/hono";
      const app = new Hono();
      app.use(gatehouse({ baseUrl: "http://127.0.0.1:3000" }));
      const open = (c) => c.text("open");
      app.get("/undefined", requireUser({ role: process.env.NO_SUCH_ROLE }), open);
      app.get("/misspelt", requireUser({ rol: "editor" }), open);
      app.get("/no-flag", requireUser({ verified: "true" }), open);
      app.get("/by-request", requireUser((c) => ({ org: c.req.param("organisation") })), open);
      app.get("/promised", requireUser(async () => ({ role: "editor" })), open);
      app.get("/optional", requireUser({ role: "editor", optional: true }), open);
      serve({ fetch: app.fetch, port: 8080, hostname: "127.0.0.1" });`,
  };
  test.each(Object.entries(mistyped))(
    "Q-08 a route of %s that is guarded by a need which is misspelt or undefined opens for nobody",
    async (_, source) => {
      const ada = await people.register("ada");
      const { url, stop } = await startApp(source, { app, runtime: "node", gatehouse: target.url });
      for (const path of ["/undefined", "/misspelt", "/no-flag", "/by-request", "/promised"]) {
        const answer = await fetch(`${url}${path}`, { headers: { cookie: cookieOf(ada) } });
        expect([path, answer.status]).toEqual([path, path === "/promised" ? 403 : 500]);
      }
      expect((await fetch(`${url}/optional`)).status).toBe(401);
      await stop();
    },
  );

  const caching = {
    Express: `import express from "express";
      import { gatehouse } from "gatehouse-client/express";
      const app = express();
      app.use(gatehouse({ baseUrl: "http://127.0.0.1:3000" }));
      app.get("/", (req, res) => void res.set("Cache-Control", "public, max-age=60").send("for all"));
      app.get("/raw", (req, res) => void res.writeHead(200, { "Cache-Control": "public, max-age=60" }).end("for all"));
      app.get("/list", (req, res) => void res.writeHead(200, ["Cache-Control", "public, max-age=60"]).end("for all"));
      app.listen(8080, "127.0.0.1");`,
    Hono: `import { serve } from "@hono/node-server";
      import { Hono } from "hono";
      import { gatehouse } from "gatehouse-client/hono";
      const app = new Hono();
      app.use(gatehouse({ baseUrl: "http://127.0.0.1:3000" }));
      app.get("*", (c) => c.text("for all", 200, { "Cache-Control": "public, max-age=60" }));
      serve({ fetch: app.fetch, port: 8080, hostname: "127.0.0.1" });`,
  };
  test.each(Object.entries(caching))(
    "Q-05 no cache keeps a cookie, though a route of %s wants it",
    async (_, source) => {
      const ada = await people.register("ada");
      const { url, stop } = await startApp(source, { app, runtime: "node", gatehouse: target.url });
      for (const path of ["/", "/raw", "/list"]) {
        const renewed = await fetch(`${url}${path}`, { headers: { cookie: expiredOf(ada) } });
        expect(renewed.headers.getSetCookie()).toHaveLength(1);
        expect(renewed.headers.get("cache-control")).toBe(notCached);
        const other = await fetch(`${url}${path}`);
        expect([await other.text(), other.headers.get("cache-control")]).toEqual(["for all", "public, max-age=60"]);
      }
      await stop();
    },
  );
});
