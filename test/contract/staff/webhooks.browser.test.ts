import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Person } from "../../support/auth.ts";
import { chromiumMissing, showOn } from "../../support/chromium.ts";
import { eventually } from "../../support/log.ts";
import { startReceiver, webhookSecret } from "../../support/receiver.ts";
import type { Visitor } from "../../support/visitor.ts";
import { openDesk } from "./desk.fixture.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const secret = webhookSecret();
const ledger = startReceiver({ secret });
afterAll(() => ledger.stop());
const named = (name: string) => ({
  [`WEBHOOK_${name}_URL`]: ledger.url,
  [`WEBHOOK_${name}_SECRET`]: secret,
  [`WEBHOOK_${name}_TOPICS`]: "auth.registered",
  [`WEBHOOK_${name}_EXPAND`]: "user",
});
const { app, admin, rows, people, staff } = await openDesk({ ...named("LEDGER"), ...named("CRM") });

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of webhooks in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let ada: Person;
    beforeAll(async () => {
      const { person: grace } = await staff("grace");
      rows.run("delete from webhook_deliveries");
      visitor = await visitAsStaff(admin.url, grace);
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      if (pictures !== undefined)
        for (const width of [1280, 390]) {
          await showOn(visitor.tab, width, width === 390 ? "dark" : "light");
          await Bun.write(join(pictures, `${name}-${width}.png`), await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }
    const sent = (): number => rows.count("webhook_deliveries where webhook = 'ledger' and outcome <> 'under_way'");

    test("without anything sent it says what will be here", async () => {
      await visitor.open(`${admin.url}/webhooks`, "Webhooks");
      await visitor.says("Nothing has been sent in the last 30 days.");
      await look("webhooks-empty");
    });

    test("an attempt is shown with what was sent and answered, as text, and is sent again", async () => {
      ledger.reply(() => new Response("<script>alert(1)</script> not today", { status: 503 }));
      ada = await people.register("ada");
      await eventually("an attempt", () => sent() === 1);
      ledger.reply(() => Response.json({ taken: true }));
      await people.register("grace");
      await eventually("the other", () => sent() >= 2);
      await visitor.open(`${admin.url}/webhooks`, "Webhooks");
      await look("webhooks");
      await visitor.open(`${admin.url}/webhooks?webhook=ledger&state=failed`, "Webhooks");
      await visitor.says("refused, 503");
      await visitor.ask("document.querySelector('tbody a').click()");
      await visitor.says("not today");
      await visitor.says(ada.email);
      expect(await visitor.ask("document.querySelectorAll('main script').length")).toBe(0);
      await look("webhook");
      const before = sent();
      await visitor.press("Send again");
      await visitor.says("The message is sent to ledger once more.");
      await eventually("another attempt", () => sent() > before);
      expect(rows.count("audit_events where action = 'webhook.resent' and actor = 'staff'")).toBe(1);
      expect(app.url).not.toBe(admin.url);
    });
  },
);
