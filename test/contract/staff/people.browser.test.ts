import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, type Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, goTo, showOn } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import type { Visitor } from "../../support/visitor.ts";
import { createOperator, lighthouseSecret, recording } from "../inspect/lighthouse.fixture.ts";
import { openDesk } from "./desk.fixture.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const { app, admin, people, rows, staff } = await openDesk(recording);

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of people in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let grace: Person;
    beforeAll(async () => {
      ({ person: grace } = await staff("grace"));
      visitor = await visitAsStaff(admin.url, grace);
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function picture(name: string): Promise<void> {
      if (pictures === undefined) return;
      for (const [width, scheme] of [
        [1280, "light"],
        [390, "dark"],
      ] as const) {
        await showOn(visitor.tab, width, scheme);
        await visitor.ask("Promise.all(document.getAnimations().map(({ finished }) => finished))");
        const height = Number(await visitor.ask("document.documentElement.scrollHeight"));
        const size = { width, height: Math.min(height, 3_000), deviceScaleFactor: 1, mobile: false };
        await askBrowser(visitor.tab, "Emulation.setDeviceMetricsOverride", size);
        await Bun.write(join(pictures, `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
      }
      await showOn(visitor.tab, 1280, "light");
    }
    /** Checks the page for barriers, and takes its picture. */
    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      await picture(name);
      await showOn(visitor.tab, 1280, "light");
    }
    const open = (path: string, title: string): Promise<void> => visitor.open(`${admin.url}${path}`, title);

    /** Makes an account with everything that a page can show, and more of it than usual. */
    async function crowded(): Promise<Person> {
      const ada = await people.register("ada", { display_name: "Ada Lovelace" });
      rows.run(
        `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, proved_at, last_seen_at, expires_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
         select '0197a000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), ?1, 'none', 1, 1,
           case i % 3 when 0 then 'curl/8' when 1 then 'Mozilla/5.0 (Macintosh) Version/17.1 Safari/605.1' else 'Mozilla/5.0 (Windows NT 10.0) Chrome/120.0' end,
           case i % 4 when 0 then '2001:db8:85a3:8d3:1319:8a2e:370:7348' else '203.0.113.7' end, cast(?2 as bigint) - i * 3600000, cast(?2 as bigint), cast(?2 as bigint) - i * 60000, cast(?2 as bigint) + 86400000 from n`,
        ada.id,
        Date.now(),
      );
      rows.run(
        `insert into audit_events (id, at, app, action, outcome, reason, actor, subject_user_id, address, user_agent, count)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)
         select '0197b000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), 1700000000000 + i * 60000, 'app', case i % 3 when 0 then 'auth.login-failed' else 'auth.logged-in' end,
           case i % 3 when 0 then 'failure' else 'success' end, case i % 3 when 0 then 'wrong_password' end, 'user', ?, '203.0.113.7', 'curl/8', 1 from n`,
        ada.id,
      );
      const kept = { plan: "business", seats: 25, modules: ["reports", "exports"], billing: { cycle: "yearly" } };
      rows.run("update users set external_id = 'customer-42' where id = ?", ada.id);
      rows.run(
        "insert into account_metadata (user_id, app_metadata, user_metadata, private_metadata) values (?, ?, ?, ?)",
        ada.id,
        JSON.stringify(kept),
        '{"theme":"dark"}',
        '{"note":"a private note"}',
      );
      return ada;
    }

    test("somebody is found with the keyboard alone: the search has the focus, and a whole address leads on", async () => {
      const ada = await people.register("ada");
      await visitor.press("People");
      await visitor.shows("People");
      await visitor.isOn("search");
      await visitor.tab.type(ada.email);
      await visitor.tab.press("Enter");
      await visitor.isAt(`/people/${ada.id}`);
      await visitor.says("Can sign in");
    });

    test("the list shows who is kept out, and cuts no line in two", async () => {
      for (const name of ["Mina", "Noor"]) await people.register("mina", { display_name: name });
      const long = await people.register("long");
      const letters = `${"W".repeat(100)} ${"m".repeat(99)}`;
      rows.run(
        "update users set display_name = ?, email = ? where id = ?",
        letters,
        `${"x".repeat(64)}@${"y".repeat(60)}.test`,
        long.id,
      );
      const miriam = await people.register("miriam", { display_name: "מרים בת דוד" });
      rows.run("update users set active = 0, roles = 'support billing shop-manager' where id = ?", miriam.id);
      await open("/people", "People");
      const heights = await visitor.ask(
        "JSON.stringify([...new Set([...document.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height)))])",
      );
      expect(heights).toBe("[36]");
      await look("list");
      await open("/people?search=nobody%20at%20all", "People");
      await look("list-nobody");
    });

    test("the page of somebody with a hundred sessions and ten thousand events is no longer than others", async () => {
      const ada = await crowded();
      for (let tried = 0; tried < 5; tried += 1)
        await createClient(app.url).post(auth("login"), { login: ada.email, password: "not the right one" });
      await open(`/people/${ada.id}`, "Ada Lovelace");
      expect(await visitor.ask("document.querySelectorAll('details tbody tr').length")).toBe(91);
      expect(await visitor.ask("document.querySelector('details').open")).toBe(false);
      await visitor.says('"plan": "business"');
      await visitor.says("customer-42");
      expect(String(await visitor.ask("document.documentElement.outerHTML"))).not.toContain("a private note");
      await look("person");
      await visitor.press("Next page");
      await visitor.says("First page");
      const newest = "document.querySelector('#events ~ .table time').dateTime";
      expect(Date.parse(String(await visitor.ask(newest)))).toBeLessThan(1_700_000_000_000 + 10_000 * 60_000);
      await visitor.press("First page");
      await visitor.isAt(`/people/${ada.id}`);
    });

    test("a page with nothing on it says so", async () => {
      const ada = await people.register("ada", { display_name: "Ada" });
      await eventually(
        "the mail is sent",
        async () => rows.count("mails where user_id = ? and state = 'sent'", ada.id) === 1,
      );
      for (const table of ["auth_sessions", "mails"]) rows.run(`delete from ${table} where user_id = ?`, ada.id);
      rows.run("update users set password_hash = null, last_login_at = null, last_seen_at = null where id = ?", ada.id);
      await open(`/people/${ada.id}`, "Ada");
      for (const words of ["Signed in nowhere.", "No mail was asked for lately.", "never"]) await visitor.says(words);
      await look("person-bare");
    });

    test.each([true, false])(
      "somebody is unlocked, disabled and enabled again, with JavaScript %p",
      async (hasScript) => {
        await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: !hasScript });
        const ada = await people.register("ada", { display_name: "Ada" });
        for (let tried = 0; tried < 5; tried += 1)
          await createClient(app.url).post(auth("login"), { login: ada.email, password: "not the right one" });
        await goTo(visitor.tab, `${admin.url}/people/${ada.id}`);
        await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: false });
        await visitor.says("Can’t sign in now");
        await visitor.press("Unlock");
        await visitor.says("Unlocked: the wrong passwords until now are forgotten.");
        await visitor.press("Disable");
        await visitor.says("Disabled: every session has ended");
        if (hasScript) await look("person-disabled");
        await visitor.press("Enable again");
        await visitor.says("Enabled: the account can be signed in to again.");
        await visitor.says("Can sign in");
      },
    );

    test("from the page of a person an operator gets to what the app recorded of their sign-in, and to all of it", async () => {
      const ada = await people.register("ada", { display_name: "Ada" });
      await createClient(app.url).post(auth("login"), { login: ada.email, password: "not the right one" });
      await createOperator(app.url).find(`user=${ada.id}&name=login`);
      await open(`/people/${ada.id}`, "Ada");
      await look("person-inspects");
      await visitor.press("POST /api/v1/auth/login");
      await visitor.shows("Sign in");
      await visitor.fill("secret", lighthouseSecret);
      await visitor.tab.press("Enter");
      await visitor.shows("POST /api/v1/auth/login");
      await visitor.says("wrong_password");
      await look("inspect-of-the-app");
      await open(`/people/${ada.id}`, "Ada");
      await visitor.press("All in Lighthouse");
      await visitor.isAt(`/lighthouse?user=${ada.id}`);
      await visitor.says("POST /api/v1/auth/register");
      await open("/lighthouse", "Inspects");
      await look("inspects-of-both");
    });

    test("an account is deleted after a question, which wants its user name", async () => {
      const ada = await people.register("ada", { display_name: "Ada" });
      await open(`/people/${ada.id}`, "Ada");
      await visitor.press("Delete…");
      await visitor.shows("Delete Ada?");
      await visitor.isOn("username");
      await visitor.tab.type("somebody else");
      await visitor.tab.press("Enter");
      await visitor.says(`This is not the user name of the account, which is ${ada.username}.`);
      await look("delete");
      await visitor.fill("username", ada.username);
      await visitor.press("Delete the account");
      await visitor.says(`The account ${ada.username} is deleted.`);
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);
