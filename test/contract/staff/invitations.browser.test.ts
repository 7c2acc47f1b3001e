import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askBrowser, chromiumMissing, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { createStaff, type StaffMember } from "../../support/staff.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const page = "/people/invitations";

describe.skipIf(chromiumMissing !== undefined)(
  `the staff page of invitations in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let visitor: Visitor;
    let grace: StaffMember;
    beforeAll(async () => {
      stage = await startStage({ app: "admin", roles: ["http"], shared: true });
      grace = await createStaff(stage.target.url, stage.rows).add("grace");
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      for (const name of ["admin_auth_access", "admin_auth_refresh"]) {
        const value = grace.visitor.client.cookie(name);
        await askBrowser(visitor.tab, "Network.setCookie", { name, value, url: stage.target.url, httpOnly: true });
      }
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    test("invites, withdraws and takes that back by keyboard, with a script and without one", async () => {
      const long = "a.rather.long.address.of.somebody.who.works.there@a-long-host-name-of-a-company.invited.test";
      await grace.visitor.submit(page, { email: long, roles: "editor, support, billing-reader", days: "1" });
      for (const isScripted of [true, false]) {
        await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: !isScripted });
        const email = `ada.${isScripted ? "with" : "without"}@invited.test`;
        await goTo(visitor.tab, "about:blank");
        await visitor.open(`${stage.target.url}${page}`, "Invitations");
        await visitor.fill("email", email);
        await visitor.tab.press("Enter");
        await visitor.says(`${email} is invited: the link works until`);
        await visitor.press("Withdraw");
        await visitor.says("its links work no longer");
        await visitor.press("Invite again");
        await visitor.says("is invited: the link works until");
      }
      await askBrowser(visitor.tab, "Emulation.setScriptExecutionDisabled", { value: false });
      await visitor.open(`${stage.target.url}${page}?all=1`, "Invitations");
      await visitor.expectNoBarriers("invitations");
      await showOn(visitor.tab, 1280, "light");
      const isCut = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.table'))";
      expect(await visitor.ask(isCut)).toBe(false);
      const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
      for (const [width, scheme] of [
        [1280, "light"],
        [390, "dark"],
      ] as const) {
        await showOn(visitor.tab, width, scheme);
        if (pictures !== undefined)
          await Bun.write(`${pictures}/invitations-${width}-${scheme}.png`, await visitor.tab.screenshot());
      }
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);
