import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { becomeClient, chromiumMissing, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import { stage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { idpKit, providerOn } from "./idp.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const { target, people, rows } = await stage({ env: providerOn });
const kit = idpKit(target);

describe.skipIf(chromiumMissing !== undefined)(
  `apps on the account page in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let ada: Person;
    beforeAll(async () => {
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      ada = await people.register("ada");
      await becomeClient(visitor.tab, ada.client);
    }, 60_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      if (pictures !== undefined)
        for (const width of [1280, 390])
          for (const scheme of ["light", "dark"] as const) {
            await showOn(visitor.tab, width, scheme);
            await visitor.ask("document.querySelector('#apps').scrollIntoView()");
            await Bun.write(`${pictures}/${name}-${width}-${scheme}.png`, await visitor.tab.screenshot());
          }
      await showOn(visitor.tab, 1280, "light");
    }
    /** Loads the page anew: an address that differs by its fragment alone loads nothing. */
    async function openApps(): Promise<void> {
      await goTo(visitor.tab, "about:blank");
      await goTo(visitor.tab, `${target.url}/account#apps`);
    }
    const has = (selector: string): Promise<unknown> =>
      visitor.ask(`document.querySelector(${JSON.stringify(selector)}) !== null`);
    const pressIn = (selector: string): Promise<unknown> =>
      visitor.ask(`document.querySelector(${JSON.stringify(selector)}).click()`);
    const confirm = (words: string): Promise<unknown> =>
      visitor.ask(
        `[...document.querySelectorAll("dialog[open] button")].find(({ textContent }) => textContent === ${JSON.stringify(words)}).click()`,
      );

    test("O-93 who has none is shown no section and no link to it", async () => {
      await goTo(visitor.tab, `${target.url}/account`);
      await visitor.says("This device alone");
      expect([await has("#apps"), await has("nav a[href='#apps']")]).toEqual([false, false]);
    });

    test("O-93 O-110 says in words what each may see and call, keeps them out of the devices, and ends one after asking", async () => {
      const shop = await kit.register("Shop", "--scope", "openid,profile,email,roles,offline_access");
      await kit.register("Calendar", "--third-party").then(({ client_id: id }) =>
        rows.run(
          `insert into idp_consents (user_id, client_id, scope, resources, granted_at)
             values (?, ?, 'openid calendar', 'https://days.example.test/v1 urn:example:days', ?)`,
          ada.id,
          id,
          Date.now() - 86_400_000,
        ),
      );
      const tokens = await kit.signIn(ada.client, shop, { scope: "openid profile email offline_access" });
      await openApps();
      await visitor.says("You have let 2 apps in by this account.");
      await visitor.says("May see your profile (name, picture, language, time zone) and your email address.");
      await visitor.says("May go on when you are not here.");
      await visitor.says("May see calendar. May call days.example.test and urn:example:days in your name.");
      await visitor.says("This device alone");
      expect(await visitor.ask("document.activeElement?.closest('section')?.id")).toBe("apps");
      await look("apps");
      await pressIn("#apps [aria-label='End access of Shop']");
      await visitor.says("End access of Shop?");
      await look("apps-question");
      await confirm("Cancel");
      await visitor.until("the question is gone", async () => (await has("dialog")) === false);
      expect((await kit.userinfo(tokens.textAt("access_token"))).status).toBe(200);
      await pressIn("#apps [aria-label='End access of Shop']");
      await visitor.says("You can let it in again by signing in to it.");
      await confirm("End access");
      await visitor.says("Shop has no access any more.");
      expect((await kit.userinfo(tokens.textAt("access_token"))).status).toBe(401);
    });

    test("O-93 in German, and what was ended elsewhere meanwhile counts as ended", async () => {
      await ada.client.post("/api/v1/auth/profile", { locale: "de" });
      await openApps();
      await visitor.says("Sie haben mit diesem Konto einer App Zugang gegeben.");
      await visitor.says("Darf sehen: calendar. Darf in Ihrem Namen days.example.test und urn:example:days aufrufen.");
      await look("apps-de");
      rows.run("delete from idp_consents where user_id = ?", ada.id);
      await pressIn("#apps [aria-label='Zugang beenden: Calendar']");
      await visitor.says("Zugang von Calendar beenden?");
      await confirm("Zugang beenden");
      await visitor.says("Calendar hat keinen Zugang mehr.");
      await visitor.says("Keine App hat Zugang zu Ihrem Konto.");
      expect(visitor.takeComplaints().filter((each) => !JSON.stringify(each).includes("404"))).toEqual([]);
    });
  },
);
