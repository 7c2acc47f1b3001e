import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { chromiumMissing, goTo, openTabWithin } from "../../support/chromium.ts";
import { startTarget, type Target } from "../../support/target.ts";

// One app is on a host of its own beside the service, and a stranger's app is on another. The browser decides what each may do.
const APP_URL = "http://auth.example.test";

describe.skipIf(chromiumMissing !== undefined)(
  `in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    /** Names of the cookies that came with the last request for a page. */
    let received: readonly string[] = [];
    let pages: Bun.Server<undefined>;
    let sharing: Target;
    let hostOnly: Target;
    let ada: Person;
    let tab: Bun.WebView;

    beforeAll(async () => {
      pages = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch({ headers }) {
          const cookies = headers.get("cookie") ?? "";
          received = cookies.split("; ").map((cookie) => cookie.split("=")[0] ?? "");
          return new Response("<!doctype html><title>An app</title>", { headers: { "content-type": "text/html" } });
        },
      });
      const origins = ["app.example.test", "app.elsewhere.test"].map((host) => `http://${host}:${pages.port}`);
      const env = { ...calm, APP_URL, AUTH_ALLOWED_ORIGINS: origins.join() };
      hostOnly = await startTarget({ env, shared: true });
      const shared = { DB_DATABASE: hostOnly.databasePath, AUTH_COOKIE_DOMAIN: "example.test" };
      sharing = await startTarget({ env: { ...env, ...shared }, migrate: false, roles: ["http"], shared: true });
      ada = await createPeople(hostOnly.url).register("ada");
      tab = openTabWithin("test");
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await pages.stop(true);
      await sharing.stop();
      await hostOnly.stop();
    });

    const open = (host: string) => goTo(tab, `http://${host}:${pages.port}/`);

    /** Resolves to what a script of the tab's page sees: status and code, or that the browser withheld the answer. */
    function call({ port }: Target, method: string, route: string, body?: object, type = "application/json") {
      const init = {
        method,
        credentials: "include",
        keepalive: route === "refresh",
        headers: method === "GET" ? {} : { "content-type": type },
        ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
      };
      const url = `http://auth.example.test:${port}${auth(route)}`;
      return tab.evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
        async (answer) => {
          const { code, user, tokens } = await answer.json();
          return [answer.status, code ?? user?.email ?? "ok", answer.headers.has("x-request-id"), tokens !== undefined].join(" ");
        },
        () => "kept from the page",
      )`);
    }
    const login = (target: Target, fields: object = {}) =>
      call(target, "POST", "login", { login: ada.email, password: ada.password, ...fields });
    const me = (target: Target) => call(target, "GET", "me");

    test("X-75 X-76 X-83 a page of a listed origin signs in and reads every answer, by JSON alone and without tokens", async () => {
      await open("app.example.test");
      expect(await me(hostOnly)).toBe("401 unauthorized true false");
      expect(await login(hostOnly, { password: "wrong" })).toBe("401 invalid_credentials true false");
      expect(await login(hostOnly, { delivery: "body" })).toBe("403 cookies_only true false");
      expect(await login(hostOnly)).toBe(`200 ${ada.email} true false`);
      expect(await me(hostOnly)).toBe(`200 ${ada.email} true false`);
      expect(await call(hostOnly, "POST", "logout", {}, "text/plain")).toBe("403 cross_site_request true false");
      expect(await call(hostOnly, "POST", "refresh")).toBe(`200 ${ada.email} true false`);
    });

    test("X-75 a page of another sibling host gets nothing, and ends nothing", async () => {
      await open("other.example.test");
      expect(await me(hostOnly)).toBe("kept from the page");
      for (const type of ["application/json", "text/plain"])
        expect(await call(hostOnly, "POST", "logout", {}, type)).toBe("kept from the page");
      await open("app.example.test");
      expect(await me(hostOnly)).toBe(`200 ${ada.email} true false`);
      expect(received).toEqual([""]);
    });

    test("X-75 X-89 a page of a listed origin on another site reads answers, but is nobody: no cookie goes there, and it is told so", async () => {
      await open("app.elsewhere.test");
      expect(await me(hostOnly)).toBe("401 unauthorized true false");
      expect(await login(hostOnly)).toBe("403 cross_site_session true false");
      expect(await me(hostOnly)).toBe("401 unauthorized true false");
    });

    test("X-80 X-81 siblings get the session's cookies while there is a domain for them, and no longer", async () => {
      await open("app.example.test");
      expect(await me(sharing)).toBe(`200 ${ada.email} true false`);
      expect(await login(sharing)).toBe(`200 ${ada.email} true false`);
      await open("app.example.test");
      expect(received.toSorted()).toEqual(["auth_access", "auth_refresh"]);
      for (const target of [sharing, hostOnly, sharing]) expect(await me(target)).toBe(`200 ${ada.email} true false`);
      expect(await login(hostOnly)).toBe(`200 ${ada.email} true false`);
      await open("app.example.test");
      expect(received).toEqual([""]);
      expect(await login(sharing)).toBe(`200 ${ada.email} true false`);
      expect(await call(sharing, "POST", "logout")).toBe("200 ok true false");
      await open("app.example.test");
      expect(received).toEqual([""]);
      for (const target of [sharing, hostOnly]) expect(await me(target)).toBe("401 unauthorized true false");
    });
  },
);
