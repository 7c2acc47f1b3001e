import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browserMissing, type Front, goTo, openTab, showOn, startFront } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { startOf } from "../../support/oauth/journey.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const { host } = new URL(publicUrl);
/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const password = "a long walk by the sea";

describe.skipIf(browserMissing !== undefined)(
  `the terms on the pages in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let world: World;
    let front: Front;
    let visitor: Visitor;
    beforeAll(async () => {
      const terms = { APP_TERMS_URL: "https://example.test/terms", APP_PRIVACY_URL: "https://example.test/privacy" };
      world = await startWorld({ ...terms, APP_TERMS_VERSION: "2026-11" }, { shared: true });
      front = await startFront(host, world.target.port);
      visitor = await createVisitor(openTab({ [host]: front }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await front.stop();
      await world.stop();
    });

    async function look(name: string): Promise<void> {
      if (pictures !== undefined)
        for (const width of [1280, 390]) {
          await showOn(visitor.tab, width, width === 390 ? "dark" : "light");
          await Bun.write(`${pictures}/${name}-${width}.png`, await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
      await visitor.expectNoBarriers(name);
    }

    const tick = (): Promise<void> => visitor.tab.click("[name=accepted_terms]");
    const versionOf = (email: string): unknown =>
      world.rows.get("select terms_version from users where email = ?", email)["terms_version"];

    test("whoever registers ticks a box that is not ticked, and is told where they did not", async () => {
      await visitor.open(`${publicUrl}/register`, "Create an account");
      await visitor.says("I accept the terms of use and have read the privacy policy.");
      expect(await visitor.ask("document.querySelector('[name=accepted_terms]').checked")).toBe(false);
      const links =
        "[...document.querySelectorAll('label.check a')].map(({ href, target, rel }) => [href, target, rel])";
      expect(await visitor.ask(links)).toEqual([
        ["https://example.test/terms", "_blank", "noopener"],
        ["https://example.test/privacy", "_blank", "noopener"],
      ]);
      await visitor.fill("email", "ada@people.test");
      await visitor.fill("password", password);
      await visitor.press("Create account");
      await visitor.says("Accept them to go on.");
      await visitor.isOn("accepted_terms");
      expect(world.rows.count("users where email = 'ada@people.test'")).toBe(0);
      await look("terms-register");
      await tick();
      await visitor.press("Create account");
      await visitor.shows("Your account");
      expect(versionOf("ada@people.test")).toBe("2026-11");
      expect(await visitor.text()).not.toContain("Our terms");
    });

    test("whoever has accepted other terms is asked on the way in, may go on without, and accepts on the account page", async () => {
      world.rows.run("update users set terms_version = '2025-01' where email = 'ada@people.test'");
      await visitor.press("Sign out");
      await visitor.shows("Sign in");
      await visitor.fill("login", "ada@people.test");
      await visitor.fill("password", password);
      await visitor.press("Sign in");
      await visitor.shows("Our terms");
      await look("terms-due");
      await visitor.press("Accept and go on");
      await visitor.says("Accept them to go on.");
      await visitor.press("Not now");
      await visitor.shows("Your account");
      await visitor.says("They are new, or have changed since you accepted them.");
      await look("terms-notice");
      await visitor.press("Accept");
      await visitor.says("Accept them to go on.");
      expect(versionOf("ada@people.test")).toBe("2025-01");
      await tick();
      await visitor.press("Accept");
      await visitor.says("You have accepted the terms.");
      expect(versionOf("ada@people.test")).toBe("2026-11");
      await goTo(visitor.tab, `${publicUrl}/account`);
      await visitor.shows("Your account");
      await visitor.says("ada@people.test");
      expect(await visitor.text()).not.toContain("Our terms");
    });

    test("accepted on the way in, they lead on to where the sign-in was to go", async () => {
      world.rows.run("update users set terms_version = null, terms_accepted_at = null where email = 'ada@people.test'");
      await visitor.press("Sign out");
      await visitor.shows("Sign in");
      await visitor.fill("login", "ada@people.test");
      await visitor.fill("password", password);
      await visitor.press("Sign in");
      await visitor.shows("Our terms");
      await tick();
      await visitor.press("Accept and go on");
      await visitor.shows("Your account");
      expect(versionOf("ada@people.test")).toBe("2026-11");
      await visitor.press("Sign out");
      await visitor.shows("Sign in");
    });

    test("whoever comes by a provider for the first time is asked before there is an account", async () => {
      const grace = world.newcomer("grace", { name: "Grace Hopper" });
      await goTo(visitor.tab, `${publicUrl}${startOf("google", { next: "/account" })}`);
      await signInAtProvider(visitor.tab, world.google, grace.account);
      await visitor.shows("One more step");
      await visitor.says("Google says who you are, and you have no account here yet.");
      expect(world.rows.count("users where email = ?", grace.email)).toBe(0);
      await look("terms-newcomer");
      await visitor.press("Create account");
      await visitor.says("Accept them to go on.");
      await tick();
      await visitor.press("Create account");
      await visitor.shows("Your account");
      await visitor.says(grace.email);
      expect(versionOf(grace.email)).toBe("2026-11");
      // Going back to the question finds that it is answered.
      await visitor.press("Sign out");
      await visitor.shows("Sign in");
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);
