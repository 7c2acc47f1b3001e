import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askBrowser, chromiumMissing, openPlainTab, showOn } from "../../support/chromium.ts";
import { stage } from "../../support/stage.ts";
import { createPageVisitor, createStaff } from "../../support/staff.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const { target, rows } = await stage({ app: "admin", roles: ["http", "scheduler"] });

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of operation in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    beforeAll(async () => {
      const staff = createStaff(target.url, rows);
      const grace = await staff.add("grace");
      const long = await staff.register("long");
      rows.run(
        "update users set display_name = ? where id = ?",
        "Wolfeschlegelsteinhausenbergerdorff ".repeat(5),
        long.id,
      );
      await createPageVisitor(target.url).submit("/login", { login: grace.email, password: "not the right one" });
      for (const [index, error] of ["550 no such mailbox", `connect ECONNREFUSED ${"x".repeat(200)}`].entries())
        rows.run(
          `insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, available_at, last_error, created_at, finished_at)
           values (?, 'default', 'app', 'auth:send-notice', '{}', 'dead', 5, 5, 1, ?, 1, 1)`,
          `job-${index}`,
          error,
        );
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      for (const name of ["admin_auth_access", "admin_auth_refresh"]) {
        const value = grace.visitor.client.cookie(name);
        await askBrowser(visitor.tab, "Network.setCookie", { name, value, url: target.url, httpOnly: true });
      }
    }, 60_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    test.each([
      ["/", "Dashboard"],
      ["/?span=30d", "Dashboard"],
      ["/audit", "Audit"],
      ["/audit?from=yesterday", "Audit"],
      ["/jobs", "Jobs"],
      ["/schedules", "Schedules"],
      ["/maintenance", "Maintenance"],
    ])(
      "%s has no barriers, and is no wider than a desk or a phone",
      async (path, title) => {
        await visitor.open(`${target.url}${path}`, title);
        await visitor.expectNoBarriers(path);
        await showOn(visitor.tab, 1280, "light");
        const cut =
          "[...document.querySelectorAll('main .table')].filter((table) => table.checkVisibility({ contentVisibilityAuto: true }) && table.scrollWidth > table.clientWidth).length";
        expect(await visitor.ask(cut)).toBe(0);
      },
      60_000,
    );

    test("a name of 180 letters takes no more of the audit log than one line", async () => {
      await visitor.open(`${target.url}/audit`, "Audit");
      const link = "[...document.querySelectorAll('tbody a')].find(({ title }) => title.startsWith('Wolfe'))";
      expect(await visitor.ask(`${link}.closest('tr').offsetHeight`)).toBeLessThanOrEqual(37);
    });

    test("letters of a chart are as large as small ones around it, on a desk and on a phone", async () => {
      await visitor.open(`${target.url}/`, "Dashboard");
      const smallest =
        "Math.min(...[...document.querySelectorAll('.chart text')].map((text) => text.getScreenCTM().a * 13))";
      for (const width of [1280, 390]) {
        await showOn(visitor.tab, width, "light");
        expect(Number(await visitor.ask(smallest))).toBeGreaterThanOrEqual(11);
      }
    });
  },
);
