import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { becomeClient, chromiumMissing, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const { target, people, rows } = await stage({ env: { AUTH_PERSONAL_TOKENS_ENABLED: "true" } });

describe.skipIf(chromiumMissing !== undefined)(
  `personal tokens on the account page in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let ada: Person;
    beforeAll(async () => {
      ada = await people.register("ada");
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      await becomeClient(visitor.tab, ada.client);
      await goTo(visitor.tab, `${target.url}/account#tokens`);
      await visitor.says("A token lets a script of yours act in your name");
    }, 60_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      if (pictures !== undefined)
        for (const width of [1280, 390]) {
          await showOn(visitor.tab, width, width === 390 ? "dark" : "light");
          await visitor.ask("document.querySelector('#tokens').scrollIntoView()");
          await Bun.write(`${pictures}/${name}-${width}.png`, await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }

    test("one is made, shown once, listed and revoked", async () => {
      await visitor.press("Make a token");
      await visitor.fill("token-name", "backup script");
      await look("tokens-form");
      await visitor.press("Make it");
      await visitor.says("Keep it now: it is not shown again.");
      const token = String(await visitor.ask("document.querySelector('pre.token').textContent"));
      noteSecret(target.url, token);
      expect(token).toStartWith("ghp_");
      await visitor.says("One token acts in your name.");
      await look("tokens-made");
      await visitor.press("I have it");
      expect(await visitor.ask("document.body.textContent.includes('ghp_')")).toBe(false);
      const [row] = rows.all("select name, expires_at - created_at as lifetime from auth_personal_tokens");
      expect(row).toEqual({ name: "backup script", lifetime: 90 * 86_400_000 });
      await look("tokens");
      await visitor.ask(`document.querySelector("#tokens [aria-label='Revoke backup script']").click()`);
      await visitor.says("What uses it is refused from now on.");
      await visitor.ask(
        "document.querySelector('dialog[open] button.danger, dialog[open] [data-kind=danger]')?.click() ?? [...document.querySelectorAll('dialog[open] button')].find(({ textContent }) => textContent === 'Revoke').click()",
      );
      await visitor.says("“backup script” is revoked.");
      expect(rows.count("auth_personal_tokens where revoked_at is null")).toBe(0);
    });

    test("the account is deleted from a page that has tokens and no organizations", async () => {
      visitor.takeComplaints();
      await visitor.ask("document.querySelector('#deletion button').click()");
      await visitor.says("Delete your account?");
      await visitor.fill("current_password", ada.password);
      expect(visitor.takeComplaints()).toEqual([]);
      await visitor.tab.press("Enter");
      await visitor.isAt("/login");
      expect(rows.count("users where id = ?", ada.id)).toBe(0);
    });
  },
);
