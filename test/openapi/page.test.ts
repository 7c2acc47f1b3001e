import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { chromiumMissing, goTo, openPlainTab, showOn } from "../support/chromium.ts";
import { startStage, type StartedStage } from "../support/stage.ts";
import type { Target } from "../support/target.ts";
import { createVisitor, type Visitor } from "../support/visitor.ts";

/** The folder for pictures of the page, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const password = "a long walk by the sea";

describe.skipIf(chromiumMissing !== undefined)(
  `the API reference in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let target: Target;
    let visitor: Visitor;
    beforeAll(async () => {
      stage = await startStage({ env: { API_DOCS_ENABLED: "true", APP_ACCENT_COLOR: "#7a2e8e" } });
      ({ target } = stage);
      await stage.people.register("ada", { username: "ada", password });
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    const open = async (fragment = ""): Promise<void> => {
      await visitor.open(`${target.url}/openapi${fragment}`, "Gatehouse: app");
      await visitor.says("/api/v1/auth/login");
    };
    const routes = {
      login: "#operations-Sessions-login",
      me: "#operations-Account-getMe",
      sessions: "#operations-Sessions-listSessions",
      users: "#operations-Users-listUsers",
    } as const;
    /** Presses what a selector finds, once it is there. */
    const press = (selector: string): Promise<void> =>
      visitor.until(
        selector,
        async () =>
          (await visitor.ask(`((found) => {
            found?.focus();
            found?.click();
            return found !== null;
          })(document.querySelector(${JSON.stringify(selector)}))`)) === true,
      );
    /** Sends the request of an open route, and waits for the status of its answer. */
    async function send(route: keyof typeof routes): Promise<string> {
      const at = routes[route];
      await press(`${at} .opblock-summary-control`);
      await press(`${at} .try-out__btn`);
      await press(`${at} .execute`);
      let shown = "";
      await visitor.until(`an answer to ${route}`, async () => {
        shown = String(
          await visitor.ask(`document.querySelector("${at} .live-responses-table .response")?.innerText ?? ""`),
        );
        return shown !== "";
      });
      return shown;
    }
    async function picture(name: string): Promise<void> {
      if (pictures === undefined) return;
      for (const width of [1280, 390])
        for (const scheme of ["light", "dark"] as const) {
          await showOn(visitor.tab, width, scheme);
          await visitor.ask("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
          await Bun.write(join(pictures, `reference-${name}-${scheme}-${width}.png`), await visitor.tab.screenshot());
        }
    }

    test("tries routes with the cookies of the browser: who signs in there is known to the next request", async () => {
      await open();
      expect(await send("me")).toContain("401");
      const signedIn = await send("login");
      expect(signedIn).toContain("200");
      expect(signedIn).toContain('"username": "ada"');
      await open();
      const me = await send("me");
      expect(me).toContain("200");
      expect(me).toContain('"display_name": "ada"');
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("axe finds nothing in it, in both schemes and on a phone, and it loads nothing from elsewhere", async () => {
      visitor.takeRequests();
      await open();
      await picture("start");
      for (const route of ["login", "users"] as const) await press(`${routes[route]} .opblock-summary-control`);
      await press(`${routes.users} .try-out__btn`);
      await visitor.says("created_before");
      await visitor.ask(`document.querySelector("${routes.users}").scrollIntoView()`);
      await picture("route");
      await press(`${routes.login} .opblock-section-request-body [data-name=model]`);
      await press(`${routes.login} .responses-inner [data-name=model]`);
      await visitor.ask(`document.querySelector("${routes.login}").scrollIntoView()`);
      await picture("schema");
      await send("me");
      await visitor.ask(`document.querySelector("${routes.me}").scrollIntoView()`);
      await picture("answer");
      await press("#reference .authorize");
      await visitor.says("Available authorizations");
      await picture("tokens");
      await visitor.expectNoBarriers("with routes, schemas, an answer and the window for tokens");
      const elsewhere = visitor
        .takeRequests()
        .filter((url) => !url.startsWith(`${target.url}/`) && !url.startsWith("data:"));
      expect(elsewhere).toEqual([]);
      expect(visitor.takeComplaints()).toEqual([]);
    }, 240_000);

    test("a route has an address of its own, which opens it", async () => {
      await goTo(visitor.tab, "about:blank");
      await open("#/Sessions/listSessions");
      await visitor.until(
        "the route",
        async () =>
          (await visitor.ask(`document.querySelector("${routes.sessions}").classList.contains("is-open")`)) === true,
      );
    });
  },
);
