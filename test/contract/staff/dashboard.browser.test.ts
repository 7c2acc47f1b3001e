import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { askBrowser, chromiumMissing, goTo, showOn } from "../../support/chromium.ts";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor } from "../../support/staff.ts";
import type { Visitor } from "../../support/visitor.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
// No worker sends a mail meanwhile, and no scheduler looks at the app.
const { target, rows } = await stage({ app: "admin", roles: ["http"] });
const grace = { email: "grace@example.test", password: "a long walk by the sea", display_name: "Grace Hopper" };
const patience = 60_000;
const screens = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

describe.skipIf(chromiumMissing !== undefined)(
  `the dashboard in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    beforeAll(async () => {
      await createPageVisitor(target.url).submit("/register", grace);
      becomeStaff(rows, grace.email);
      visitor = await visitAsStaff(target.url, grace);
    }, patience);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    /** Opens the page anew: from a page of the same title nobody could tell when the next one is there. */
    async function open(path = "/"): Promise<void> {
      await goTo(visitor.tab, "about:blank");
      await visitor.open(`${target.url}${path}`, "Dashboard");
      await visitor.arrivesAt(`${target.url}${path}`);
    }
    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      for (const { width } of pictures === undefined ? [] : screens)
        for (const scheme of ["light", "dark"] as const) {
          await showOn(visitor.tab, width, scheme);
          const height = Number(await visitor.ask("document.documentElement.scrollHeight"));
          const size = { width, height, deviceScaleFactor: 1, mobile: false };
          await askBrowser(visitor.tab, "Emulation.setDeviceMetricsOverride", size);
          await Bun.write(join(pictures ?? "", `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }
    const sizesOf = (selector: string): Promise<unknown> =>
      visitor.ask(
        `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.getBoundingClientRect().height))`,
      );

    test(
      "on the first day has one act in view, no grey bars, and nothing wider than the screen",
      async () => {
        await open();
        for (const { width, height } of screens) {
          await showOn(visitor.tab, width, "light");
          const inView = `[...document.querySelectorAll("button.primary, a.button.primary")].filter((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return top >= 0 && bottom <= ${height};
          }).map(({ textContent }) => textContent).join()`;
          expect(await visitor.ask(inView)).toBe("Find");
          expect(await visitor.ask("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        }
        // One registration is all that is grey: the colour of what is beside the point, not of what is missing.
        expect(JSON.parse(String(await sizesOf(".chart > svg .tone-soft")))).toHaveLength(1);
        expect(
          await visitor.ask(
            "[...document.querySelectorAll('.chart > svg')].every((each) => each.querySelector('rect'))",
          ),
        ).toBe(true);
        await look("dashboard-first-day");
        expect(visitor.takeComplaints()).toEqual([]);
      },
      patience,
    );

    test(
      "finds somebody by keyboard, and says what its numbers mean",
      async () => {
        await open();
        await visitor.fill("search", "grace");
        await visitor.tab.press("Enter");
        await visitor.isAt("/people?search=grace");
        await visitor.says("grace@example.test");
        await open();
        await visitor.ask("document.querySelector('.numbers + .more > summary').focus()");
        await visitor.tab.press("Enter");
        await visitor.says("Who comes twenty times a day is one");
        await look("dashboard-meanings");
      },
      patience,
    );

    test(
      "after a month draws every way of sign-in with a bar of its share, in letters of one size",
      async () => {
        const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
        for (let back = 0; back < 24 * 30; back += 1) {
          const at = hour - back * 3_600_000;
          for (const [reason, events] of [
            ["by_password", 60],
            ["google", 30],
            ["organization", 9],
            ["acme", 1],
          ] as const)
            rows.run(
              "insert into audit_hours values (?, 'auth.logged-in', 'success', ?, 'test', ?)",
              at,
              reason,
              events,
            );
          rows.run("insert into health_hours values (?, 12, 0, null, ?, 0)", at, back % 7);
        }
        for (let days = 0; days < 30; days += 1)
          rows.run(
            "insert into account_counts values ('active', ?, 77, ?)",
            hour - (hour % 86_400_000) - days * 86_400_000,
            days * 3,
          );
        for (const [name, path] of [
          ["dashboard-day", "/"],
          ["dashboard-days", "/?span=30d"],
        ] as const) {
          await open(path);
          const bars = JSON.parse(
            String(
              await visitor.ask(
                `JSON.stringify([...document.querySelectorAll(".ways tr")].map((row) => {
                  const [whole, part] = [...row.querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect().width);
                  return [row.querySelector("th").textContent, Math.round(part / whole * 100)];
                }))`,
              ),
            ),
          );
          expect(bars).toEqual([
            ["Password", 60],
            ["Google", 30],
            ["Provider of an organization", 9],
            ["acme", 1],
          ]);
          const letters = `new Set([...document.querySelectorAll(".chart > svg text")].map((text) =>
            Math.round(text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize)))).size`;
          expect(await visitor.ask(letters)).toBe(1);
          await look(name);
        }
        expect(visitor.takeComplaints()).toEqual([]);
      },
      patience,
    );
  },
);
