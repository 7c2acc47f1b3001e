import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { askBrowser, chromiumMissing, showOn } from "../../support/chromium.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor, writeAudit } from "../../support/staff.ts";
import { startTarget, type Target } from "../../support/target.ts";
import type { Visitor } from "../../support/visitor.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const shared = { APP_MAINTENANCE_DRIVER: "cache", CACHE_DRIVER: "database" };
const { target, rows } = await stage({ app: "admin", env: shared });
const grace = { email: "grace@example.test", password: "a long walk by the sea", display_name: "Grace Hopper" };
const patience = 60_000;

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of operation in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let app: Target;
    let visitor: Visitor;
    let graceId: string;
    beforeAll(async () => {
      // The app runs schedules, and leaves jobs alone.
      app = await startTarget({
        app: "app",
        env: { ...shared, DB_DATABASE: target.databasePath },
        roles: ["http", "scheduler"],
        migrate: false,
        shared: true,
      });
      await createPageVisitor(target.url).submit("/register", grace);
      becomeStaff(rows, grace.email);
      graceId = String(rows.get("select id from users where email_key = ?", grace.email)["id"]);
      visitor = await visitAsStaff(target.url, grace);
    }, patience);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await app.stop();
    });

    const open = (path: string, title: string): Promise<void> => visitor.open(`${target.url}${path}`, title);
    /** Switches scripts on or off. The check for barriers is a script and needs them on. */
    const runScripts = (run: boolean): Promise<unknown> =>
      askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: !run });

    async function picture(name: string): Promise<void> {
      if (pictures === undefined) return;
      for (const width of [1280, 390])
        for (const scheme of ["light", "dark"] as const) {
          await showOn(visitor.tab, width, scheme);
          await visitor.ask("Promise.all(document.getAnimations().map(({ finished }) => finished))");
          const height = Math.min(Number(await visitor.ask("document.documentElement.scrollHeight")), 3_000);
          const size = { width, height, deviceScaleFactor: 1, mobile: false };
          await askBrowser(visitor.tab, "Emulation.setDeviceMetricsOverride", size);
          await Bun.write(join(pictures, `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
        }
    }
    /** Checks the page for barriers, and takes its picture. */
    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      await picture(name);
      await showOn(visitor.tab, 1280, "light");
    }

    /** Presses the Tab key until the focus is on the element with that name or id. */
    async function reach(name: string): Promise<void> {
      const passed: string[] = [];
      for (let steps = 0; steps < 150; steps += 1) {
        await visitor.tab.press("Tab");
        const names = String(
          await visitor.ask(`(({ id, ariaLabel, textContent }) =>
            [id, ariaLabel, textContent.trim()].join("\\n"))(document.activeElement)`),
        ).split("\n");
        if (names.includes(name)) return;
        passed.push(names.join(" ").trim().slice(0, 40));
      }
      throw new Error(`the Tab key does not lead to ${name}: ${passed.join("; ")}`);
    }
    async function pressByKey(name: string): Promise<void> {
      await reach(name);
      await visitor.tab.press("Enter");
    }

    /** Runs a test with the scripts of the pages, and without. */
    const eachWay = (title: string, run: (hasScripts: boolean) => Promise<void>): void => {
      for (const hasScripts of [true, false])
        test(
          `${title}, ${hasScripts ? "with" : "without"} scripts`,
          async () => {
            await runScripts(hasScripts);
            try {
              await run(hasScripts);
            } finally {
              await runScripts(true);
            }
            expect(visitor.takeComplaints()).toEqual([]);
          },
          patience,
        );
    };

    const write = (action: string, more?: Readonly<Record<string, string | number | null>>): void =>
      writeAudit(rows, graceId, action, more);

    eachWay("the dashboard says the same in charts and in tables, for a day and for a month", async (hasScripts) => {
      write("auth.logged-in", { count: 1_234_567 });
      write("auth.login-failed", { outcome: "failure", reason: "wrong_password", actor: "anonymous", count: 40 });
      await open("/", "Dashboard");
      // The title is there before the rest of the page is.
      await eventually(
        "the charts",
        async () => Number(await visitor.ask("document.querySelectorAll('.chart > svg').length")) >= 4,
      );
      await pressByKey("sign-ins-figures");
      await visitor.says("Registered");
      if (hasScripts) await look("dashboard");
      await pressByKey("Last 30 days");
      await visitor.isAt("/?span=30d");
      if (hasScripts) await look("dashboard-month");
    });

    eachWay("the audit log is filtered, and a person of it is followed, by keyboard", async (hasScripts) => {
      write("auth.login-failed", {
        outcome: "failure",
        reason: "wrong_password",
        actor: "anonymous",
        actor_user_id: null,
        address: "2001:db8:1234:5678:9abc:def0:1234:5678",
        user_agent: `Mozilla/5.0 ${"x".repeat(400)}`,
        count: 12,
      });
      write("auth.session-revoked", { address: "192.0.2.8" });
      await open("/audit", "Audit");
      await reach("person");
      await visitor.tab.type(grace.email);
      await reach("address");
      await visitor.tab.type("2001:db8:1234:5678:9abc:def0:1234:5678");
      await visitor.tab.press("Enter");
      await visitor.until("the search", async () => (await visitor.ask("location.search")) !== "");
      await visitor.says("Sign-in refused: the password was wrong (12 times)");
      expect(await visitor.text()).not.toContain("192.0.2.8");
      expect(await visitor.ask("[person.value, until.type].join()")).toBe(`${grace.email},datetime-local`);
      await pressByKey("More about this row");
      await visitor.says("Mozilla/5.0");
      if (hasScripts) await look("audit-filtered");
      await open("/audit?action=auth.login-failed", "Audit");
      await pressByKey("Grace Hopper");
      await visitor.isAt(`/people/${graceId}`);
      await visitor.shows("Grace Hopper");
      await open("/audit?person=nobody&address=here&action=none", "Audit");
      for (const words of ["Nobody has this name", "This is no IP address.", "Choose one of the list."])
        await visitor.says(words);
      if (hasScripts) await look("audit-wrong");
      await open("/audit?from=2020-01-01T00:00&until=2020-02-01T00:00&reason=wrong_password", "Audit");
      await visitor.says("Nothing like that is in the log.");
      if (hasScripts) await look("audit-nothing");
    });

    eachWay("a job that failed is tried again, by keyboard", async (hasScripts) => {
      const error = `550 5.1.1 ${"the relay knows nobody of this name ".repeat(8)}${"x".repeat(200)}`;
      for (const name of ["auth:send-notice", "webhook:deliver"])
        rows.run(
          `insert into jobs (id, app, queue, name, payload, state, attempts, max_attempts, available_at, last_error, created_at, finished_at)
           values (?, 'app', 'default', ?, '{}', 'dead', 3, 3, 1, ?, 1, ?)`,
          Bun.randomUUIDv7(),
          name,
          error,
          Date.now(),
        );
      const states = () => rows.all<{ state: string }>("select state from jobs order by id").map(({ state }) => state);
      await open("/jobs", "Jobs");
      if (hasScripts) await look("jobs");
      await pressByKey("webhook:deliver 1");
      await visitor.isAt("/jobs?name=webhook%3Adeliver");
      await pressByKey("Try all of webhook:deliver again");
      await visitor.says("1 job is tried again at once, with all attempts.");
      expect(states()).toEqual(["dead", "pending"]);
      await pressByKey("Try again: auth:send-notice, failed just now");
      await visitor.says("The job is tried again at once, with all its attempts.");
      expect(states()).toEqual(["pending", "pending"]);
      if (hasScripts) await look("jobs-tried");
      rows.run("delete from jobs");
    });

    eachWay("a schedule is run at once, and another request is taken back, by keyboard", async (hasScripts) => {
      await eventually("the schedules to be known", () => rows.count("schedules where name = 'auth:cleanup'") > 0);
      rows.run("insert into schedules (name, cron) values ('a:b', '0 0 1 1 *')");
      const asked = (name: string) => rows.get("select requested_by from schedules where name = ?", name);
      await open("/schedules", "Schedules");
      await pressByKey("Run now: a:b");
      await visitor.says("a:b runs within seconds.");
      expect(asked("a:b")).toEqual({ requested_by: graceId });
      if (hasScripts) await look("schedules-asked");
      await pressByKey("Take back: a:b");
      await visitor.says("a:b is not run before its time.");
      expect(asked("a:b")).toEqual({ requested_by: null });
      await pressByKey("Run now: a:b");
      await visitor.says("a:b runs within seconds.");
      await pressByKey("Take back");
      await visitor.says("a:b is not run before its time.");
      rows.run("delete from schedules where name = 'a:b'");
      const runs = rows.count("schedule_history where name = 'auth:cleanup' and ok = 1 and requested_by is not null");
      await pressByKey("Run now: auth:cleanup");
      await visitor.says("auth:cleanup runs within seconds.");
      await eventually(
        "the run",
        () => rows.count("schedule_history where name = 'auth:cleanup' and ok = 1 and requested_by is not null") > runs,
      );
      await open("/schedules", "Schedules");
      await pressByKey("runs-auth:cleanup");
      await visitor.says("Asked for by");
      await visitor.says("Grace Hopper");
      if (hasScripts) await look("schedules");
    });

    eachWay("maintenance of the app is switched on and off, by keyboard", async (hasScripts) => {
      const status = async (): Promise<number> => (await fetch(`${app.url}/api/v1/auth/session`)).status;
      rows.run("update auth_sessions set proved_at = proved_at - 700000 where user_id = ?", graceId);
      await open("/maintenance", "Maintenance");
      if (hasScripts) await look("maintenance");
      expect(await visitor.ask("document.querySelectorAll('#message-admin, #message-app').length")).toBe(2);
      await reach("message-app");
      await visitor.tab.type("moving house");
      await visitor.tab.press("Enter");
      await visitor.shows("Confirm that it is you");
      if (hasScripts) await look("maintenance-proof");
      await visitor.isOn("current_password");
      await visitor.tab.type(grace.password);
      await visitor.tab.press("Enter");
      await visitor.says("Maintenance of app is on.");
      await visitor.says("Reason: moving house");
      await eventually("maintenance", async () => (await status()) === 503);
      if (hasScripts) await look("maintenance-on");
      await pressByKey("Switch off");
      await visitor.says("Maintenance of app is off.");
      await eventually("the end of maintenance", async () => (await status()) !== 503);
    });

    test("a name of 200 letters and a reason leave a row of the audit log in one line", async () => {
      const id = Bun.randomUUIDv7();
      const name = "Wolfeschlegelsteinhausenbergerdorff ".repeat(6).slice(0, 200);
      rows.run(
        `insert into users (id, username, username_key, email, email_key, display_name, created_at, updated_at)
         values (?1, 'wolfe', 'wolfe', 'wolfe@example.test', 'wolfe@example.test', ?2, 1, 1)`,
        id,
        name,
      );
      write("auth.logged-in", { actor_user_id: id, subject_user_id: id });
      const refused = { outcome: "failure", reason: "wrong_password", actor: "anonymous", actor_user_id: null };
      write("auth.login-failed", {
        ...refused,
        subject_user_id: id,
        address: "198.51.100.220",
      });
      await open("/audit?person=wolfe", "Audit");
      expect(
        await visitor.ask("Math.max(...[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight))"),
      ).toBeLessThanOrEqual(37);
      await visitor.expectNoBarriers("a long name");
      await showOn(visitor.tab, 1280, "light");
    });

    test("the letters of charts can be read, on a desk and on a phone", async () => {
      await open("/", "Dashboard");
      for (const width of [1280, 390]) {
        await showOn(visitor.tab, width, "light");
        const sizes =
          "[...document.querySelectorAll('.chart text')].map((text) => text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize))";
        expect(Number(await visitor.ask(`Math.min(...${sizes})`))).toBeGreaterThanOrEqual(11);
      }
    });
  },
);
