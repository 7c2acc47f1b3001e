import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isServed, minute, type Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, showOn } from "../../support/chromium.ts";
import type { StaffMember } from "../../support/staff.ts";
import type { Visitor } from "../../support/visitor.ts";
import { visitAsStaff } from "../staff/visitor.fixture.ts";
import { openDesk, reason } from "./desk.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const desk = await openDesk({ env: { ORGANIZATIONS_ENABLED: "true" }, isReal: true });
const { target, admin, rows, people, staff } = desk;

/** Takes pictures of what a tab shows, on a desktop and a phone, by day and by night. */
async function picture(visitor: Visitor, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const width of [1280, 390])
    for (const scheme of ["light", "dark"] as const) {
      await showOn(visitor.tab, width, scheme);
      await visitor.ask("Promise.all(document.getAnimations().map(({ finished }) => finished))");
      await Bun.write(join(pictures, `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
    }
  await showOn(visitor.tab, 1280, "light");
}

describe.skipIf(chromiumMissing !== undefined)(
  `staff who look at an account in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let grace: StaffMember;
    let ada: Person;
    let visitor: Visitor;
    beforeAll(async () => {
      grace = await staff.add("grace");
      ada = await people.register("ada", { display_name: "Ada Lovelace" });
      rows.run("update users set display_name = 'Grace Hopper' where id = ?", grace.id);
      visitor = await visitAsStaff(admin.url, grace);
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    const bar = "Grace Hopper is looking at the account of Ada Lovelace";
    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      await picture(visitor, name);
      await showOn(visitor.tab, 1280, "light");
    }

    test("S-72 S-60 from the page of the person, by a reason and a proof, to the account with a bar above it", async () => {
      rows.letPass(11 * minute);
      await visitor.open(`${admin.url}/people/${ada.id}`, "Ada Lovelace");
      await visitor.press("Look at the account…");
      await visitor.shows("Look at the account of Ada Lovelace?");
      await look("impersonate-form");
      await visitor.fill("reason", reason);
      await visitor.press("Open the account");
      await visitor.shows("Confirm that it is you");
      await visitor.fill("current_password", grace.password);
      await visitor.press("Go on");
      await visitor.arrivesAt(`${target.url}/account`);
      await visitor.says(bar);
      await visitor.says("Ada Lovelace");
      await look("impersonate-account");
      // Nothing leads back to the address that had the secret, and nobody was told of it.
      expect(await visitor.ask("document.referrer")).toBe("");
      const history = await askBrowser(visitor.tab, "Page.getNavigationHistory");
      expect(JSON.stringify(history)).not.toContain("token=");
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("S-64 whatever would change something says that it is the person's alone", async () => {
      const refusal = "Only the person can do this.";
      await visitor.press("Edit profile");
      await visitor.fill("display_name", "Somebody else");
      await visitor.press("Save");
      await visitor.says(refusal);
      await visitor.press("Cancel");
      await visitor.press("Sign out everywhere");
      await visitor.press("Sign out everywhere");
      await visitor.says(refusal);
      await look("impersonate-refused");
      expect(rows.get("select display_name from users where id = ?", ada.id)).toEqual({ display_name: "Ada Lovelace" });
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("S-72 the bar stands above every page", async () => {
      for (const [path, title] of [
        ["/account/organization?id=x", undefined],
        ["/forgot-password", "Forgot your password?"],
        ["/login", "Sign in"],
      ] as const) {
        if (title === undefined) await visitor.tab.navigate(`${target.url}${path}`);
        else await visitor.open(`${target.url}${path}`, title);
        await visitor.says(bar);
      }
    }, 120_000);

    test("S-69 the button of the bar ends it, leads back to the page of the person, and leaves the browser signed out", async () => {
      await visitor.open(`${admin.url}/people/${ada.id}/impersonate`, "Look at the account of Ada Lovelace?");
      await visitor.fill("reason", reason);
      await visitor.press("Open the account");
      await visitor.arrivesAt(`${target.url}/account`);
      await visitor.says(bar);
      await visitor.press("End");
      await visitor.arrivesAt(`${admin.url}/people/${ada.id}`);
      expect(desk.audit(ada.id, "auth.impersonation-ended")[0]).toMatchObject({ reason: "logged_out" });
      await visitor.open(`${target.url}/account`, "Sign in");
    }, 120_000);

    test("S-66 the person sees it among their devices, and ends it there", async () => {
      const other = await desk.open(await staff.add("hedy"), ada.id);
      await visitor.open(`${target.url}/login`, "Sign in");
      await visitor.fill("login", ada.email);
      await visitor.fill("password", ada.password);
      await visitor.tab.press("Enter");
      await visitor.isAt("/account");
      await visitor.says("Support: hedy");
      expect(await visitor.text()).not.toContain(bar);
      await visitor.ask("document.querySelector('#sessions').scrollIntoView()");
      await look("impersonate-devices");
      await visitor.ask(
        "[...document.querySelectorAll('button')].find((button) => button.ariaLabel?.includes('Support'))?.click()",
      );
      await visitor.says("Support: hedy is signed out.");
      expect(await isServed(other)).toBe(false);
    }, 120_000);
  },
);
